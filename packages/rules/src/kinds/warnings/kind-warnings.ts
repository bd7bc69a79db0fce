/** Warnings about valid but questionable objects, by kind: the `Warning` headers that kubectl prints. Start here. */

import { checkDnsLabel } from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { definitionWarnings, type TypeName } from '@listwatch/schema';
import type { KubeObject } from '../../kube-object.ts';
import { ipWarnings, rangeWarnings } from './address-warnings.ts';
import { itemWarnings, WARNINGS_MAX } from './item-warnings.ts';
import { nodeLabelWarning } from './node-label-warnings.ts';
import { podWarnings } from './pod-warnings.ts';
import { serviceWarnings } from './service-warnings.ts';
import { claimSpecWarnings, csiDriverWarnings, volumeWarnings } from './storage-warnings.ts';

type Warnings = Iterable<string>;
type WarningsOf = (object: KubeObject, old?: KubeObject) => Warnings;

/** The warnings about a valid object; `old` on an update. */
export type KindWarnings = (object: KubeObject, old: KubeObject | undefined) => readonly string[];

const BY_KIND: Readonly<Record<TypeName, WarningsOf>> = {
  'admissionregistration/v1.MutatingAdmissionPolicy': staticNameWarning,
  'admissionregistration/v1.MutatingAdmissionPolicyBinding': staticNameWarning,
  'admissionregistration/v1.MutatingWebhookConfiguration': staticNameWarning,
  'admissionregistration/v1.ValidatingAdmissionPolicy': staticNameWarning,
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding': staticNameWarning,
  'admissionregistration/v1.ValidatingWebhookConfiguration': staticNameWarning,
  'apiextensions/v1.CustomResourceDefinition': definitionWarnings,
  'apps/v1.DaemonSet': (object, old) => changedTemplate(object, old),
  'apps/v1.Deployment': (object, old) => all(podNameWarnings(object, old), changedTemplate(object, old)),
  'apps/v1.ReplicaSet': (object, old) => all(podNameWarnings(object, old), changedTemplate(object, old)),
  'apps/v1.StatefulSet': (object, old) => all(changedTemplate(object, old), statefulWarnings(object, old)),
  'batch/v1.CronJob': (object, old) =>
    all(
      podNameWarnings(object, old),
      changedJob(object, old, ['spec', 'jobTemplate', 'spec']),
      zoneWarnings(object, old),
    ),
  'batch/v1.Job': (object, old) => all(podNameWarnings(object, old), changedJob(object, old, ['spec'])),
  'core/v1.Node': nodeWarnings,
  'core/v1.PersistentVolume': ({ metadata, spec }) => volumeWarnings(metadata.annotations, recordOf(spec)),
  'core/v1.PersistentVolumeClaim': ({ metadata, spec }) =>
    all(
      annotationWarning(metadata.annotations, 'volume.beta.kubernetes.io/storage-class'),
      claimSpecWarnings(recordOf(spec), 'spec'),
    ),
  'core/v1.Pod': (object, old) => (old === undefined ? newPodWarnings(object) : []),
  'core/v1.PodTemplate': (object, old) => (isNews(object, old) ? templateWarnings(object['template'], 'template') : []),
  'core/v1.ReplicationController': (object, old) => all(podNameWarnings(object, old), changedTemplate(object, old)),
  'core/v1.Service': (object) => serviceWarnings(object),
  'discovery/v1.EndpointSlice': endpointSliceWarnings,
  'networking/v1.Ingress': (object, old) => (old === undefined ? ingressWarnings(object) : []),
  'networking/v1.NetworkPolicy': networkPolicyWarnings,
  'node/v1.RuntimeClass': ({ scheduling }) =>
    itemWarnings(Object.keys(recordOf(recordOf(scheduling)['nodeSelector'])), (key) =>
      nodeLabelWarning(key, 'scheduling.nodeSelector'),
    ),
  'storage/v1.CSIDriver': csiDriverWarnings,
  'storage/v1.StorageClass': storageClassWarnings,
};

/** The warnings of a kind; undefined for a kind that never warns. */
export function kindWarnings(type: TypeName): KindWarnings | undefined {
  const warnings = BY_KIND[type];
  if (warnings === undefined) return undefined;
  return (object, old) => {
    const found: string[] = [];
    for (const text of warnings(object, old)) if (found.push(text) >= WARNINGS_MAX) break;
    return found;
  };
}

/** Chains several lists of warnings lazily. */
function* all(...parts: readonly Warnings[]): Generator<string, undefined> {
  for (const part of parts) yield* part;
}

/** The suffix of configurations that kube-apiserver can read from files. */
const STATIC = '.static.k8s.io';

function staticNameWarning({ metadata: { name = '' } }: KubeObject): Warnings {
  if (!name.endsWith(STATIC)) return [];
  return [
    `metadata.name: names ending with "${STATIC}" are reserved for static manifest-based configurations and cannot be managed via the API`,
  ];
}

function podNameWarnings({ metadata }: KubeObject, old: KubeObject | undefined): Warnings {
  return old === undefined ? nameWarnings(metadata.name, 'Pod names and hostnames') : [];
}

function nameWarnings(name = '', use: string): readonly string[] {
  const complaints = checkDnsLabel(name);
  if (complaints.length === 0) return [];
  const why = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`;
  return [`metadata.name: ${why}: [${complaints.join(' ')}]`];
}

function* newPodWarnings({ metadata, spec }: KubeObject): Generator<string, undefined> {
  yield* nameWarnings(metadata.name, "the Pod's hostname");
  yield* podWarnings({ annotations: metadata.annotations ?? {}, spec: recordOf(spec), field: '' });
}

function templateWarnings(template: unknown, field: string): Warnings {
  const { metadata, spec } = recordOf(template);
  const annotations = recordOf(recordOf(metadata)['annotations']);
  return podWarnings({ annotations, spec: recordOf(spec), field: `${field}.` });
}

/** An update with an unchanged spec does not repeat warnings about the spec. */
function isNews({ metadata }: KubeObject, old: KubeObject | undefined): boolean {
  return old === undefined || metadata.generation !== old.metadata.generation;
}

function changedTemplate(object: KubeObject, old: KubeObject | undefined): Warnings {
  return isNews(object, old) ? templateWarnings(recordOf(object['spec'])['template'], 'spec.template') : [];
}

const TRACKED = 100_000;
const AT_ONCE = 10_000;
const UNTRACKED =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

function* changedJob(
  object: KubeObject,
  old: KubeObject | undefined,
  path: readonly string[],
): Generator<string, undefined> {
  if (!isNews(object, old)) return;
  const spec = path.reduce<JsonRecord>((part, name) => recordOf(part[name]), object);
  const field = path.join('.');
  const isLarge = numberOf(spec['completions']) > TRACKED && numberOf(spec['parallelism']) > AT_ONCE;
  if (spec['completionMode'] === 'Indexed' && isLarge) yield `${field}: ${UNTRACKED}`;
  yield* templateWarnings(spec['template'], `${field}.template`);
}

function zoneWarnings({ spec }: KubeObject, old: KubeObject | undefined): Warnings {
  if (old === undefined || !textOf(recordOf(spec)['schedule']).includes('TZ')) return [];
  const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
  return [`cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see ${page} for more details`];
}

function* statefulWarnings({ spec }: KubeObject, old: KubeObject | undefined): Generator<string, undefined> {
  const { volumeClaimTemplates, revisionHistoryLimit } = recordOf(spec);
  yield* itemWarnings(recordsOf(volumeClaimTemplates), (claim, index) => {
    const field = `spec.volumeClaimTemplates[${index}]`;
    return claimSpecWarnings(recordOf(claim['spec']), old === undefined ? field : `${field}.Spec`);
  });
  if (numberOf(revisionHistoryLimit) >= 0) return;
  yield 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
}

function* nodeWarnings({ spec }: KubeObject): Generator<string, undefined> {
  const { configSource, externalID, podCIDRs } = recordOf(spec);
  if (configSource !== undefined) yield 'spec.configSource: the feature is removed';
  if (textOf(externalID) !== '') yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  yield* itemWarnings(listOf(podCIDRs), (range, index) => rangeWarnings(textOf(range), `spec.podCIDRs[${index}]`));
}

/** The warning about the annotation that named the StorageClass once. */
function annotationWarning(annotations: Readonly<Record<string, string>> | undefined, name: string): Warnings {
  if (annotations?.[name] === undefined) return [];
  return [`metadata.annotations[${name}]: deprecated since v1.8; use "storageClassName" attribute instead`];
}

const INGRESS_CLASS = 'kubernetes.io/ingress.class';

function ingressWarnings({ metadata, spec }: KubeObject): Warnings {
  const isOld = metadata.annotations?.[INGRESS_CLASS] !== undefined && recordOf(spec)['ingressClassName'] === undefined;
  return isOld ? [`annotation "${INGRESS_CLASS}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
}

function* networkPolicyWarnings({ spec }: KubeObject): Generator<string, undefined> {
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    yield* itemWarnings(recordsOf(recordOf(spec)[direction]), (rule, i) =>
      itemWarnings(recordsOf(rule[peers]), (peer, j) =>
        blockWarnings(recordOf(peer['ipBlock']), `spec.${direction}[${i}].${peers}[${j}].ipBlock`),
      ),
    );
  }
}

function* blockWarnings({ cidr, except }: JsonRecord, field: string): Generator<string, undefined> {
  yield* rangeWarnings(textOf(cidr), `${field}.cidr`);
  yield* itemWarnings(listOf(except), (range, index) => rangeWarnings(textOf(range), `${field}.except[${index}]`));
}

function* endpointSliceWarnings(slice: KubeObject, old?: KubeObject): Generator<string, undefined> {
  const { addressType, endpoints } = slice;
  if (addressType === 'FQDN') {
    if (old === undefined) yield 'spec.addressType: FQDN endpoints are deprecated';
    return;
  }
  yield* itemWarnings(recordsOf(endpoints), ({ addresses }, i) =>
    itemWarnings(listOf(addresses), (address, j) => ipWarnings(textOf(address), `endpoints[${i}].addresses[${j}]`)),
  );
}

function storageClassWarnings({ allowedTopologies }: KubeObject): Warnings {
  return itemWarnings(recordsOf(allowedTopologies), ({ matchLabelExpressions }, i) =>
    itemWarnings(recordsOf(matchLabelExpressions), ({ key }, j) =>
      nodeLabelWarning(textOf(key), `allowedTopologies[${i}].matchLabelExpressions[${j}].key`),
    ),
  );
}
