/** Warnings about volumes and claims. */

import { type JsonRecord, quantityOf, recordOf, recordsOf, sameJson } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { itemWarnings } from './item-warnings.ts';
import { nodeSelectorTermWarnings } from './node-label-warnings.ts';

const ANNOTATIONS = [
  ['volume.beta.kubernetes.io/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

/** Volume sources that are no longer supported. */
const REMOVED: readonly (readonly [string, string])[] = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

const TOKENS_IN_ATTRIBUTES =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

/** The warning about a CSIDriver whose tokens may end up in logs. */
export function csiDriverWarnings(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const { tokenRequests, serviceAccountTokenInSecrets } = recordOf(object['spec']);
  const isOld = old !== undefined && sameJson(tokenRequests, recordOf(old['spec'])['tokenRequests']);
  const isQuiet = isOld || recordsOf(tokenRequests).length === 0 || serviceAccountTokenInSecrets !== undefined;
  return isQuiet ? [] : [TOKENS_IN_ATTRIBUTES];
}

/** The warnings about a PersistentVolume. */
export function* volumeWarnings(
  annotations: Readonly<Record<string, string>> = {},
  spec: JsonRecord,
): Generator<string, undefined> {
  for (const [name, why] of ANNOTATIONS)
    if (Object.hasOwn(annotations, name)) yield `metadata.annotations[${name}]: ${why}`;
  if (spec['persistentVolumeReclaimPolicy'] === 'Recycle') {
    const why =
      'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
    yield `spec.persistentVolumeReclaimPolicy: ${why}`;
  }
  const terms = recordsOf(recordOf(recordOf(spec['nodeAffinity'])['required'])['nodeSelectorTerms']);
  yield* itemWarnings(terms, (term, index) =>
    nodeSelectorTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, false),
  );
  for (const [name, why] of REMOVED) {
    if (spec[name] !== undefined) yield `spec.${name === 'storageos' ? 'storageOS' : name}: ${why}`;
  }
}

/** The warnings about the spec of a claim. */
export function* claimSpecWarnings(spec: JsonRecord, field: string): Generator<string, undefined> {
  const resources = recordOf(spec['resources']);
  for (const kind of ['requests', 'limits']) {
    yield* fractionWarnings(recordOf(resources[kind]), ['storage'], `${field}.resources.${kind}`);
  }
}

/** The warnings about fractional amounts of bytes. */
export function* fractionWarnings(
  amounts: JsonRecord,
  names: readonly string[],
  field: string,
): Generator<string, undefined> {
  for (const name of names) {
    if (amounts[name] === undefined) continue;
    const quantity = quantityOf(amounts[name]);
    // Kubernetes checks fractions down to thousandths only.
    if (quantity.value(-3) % 1000n === 0n) continue;
    yield `${field}[${name}]: fractional byte value "${String(quantity)}" is invalid, must be an integer`;
  }
}
