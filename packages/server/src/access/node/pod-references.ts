/** The objects that a kubelet needs to run a Pod. */

import { isRecord, type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';

/** Kinds that a node may read because of its Pods. */
export type ReferencedKind = 'configmap' | 'pvc' | 'resourceclaim' | 'secret' | 'serviceaccount';

const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
/** Volumes of old kinds whose Secret is in `secretRef`. */
const SECRET_REF_VOLUMES = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

/**
 * Calls `add` for each, in the namespace of the Pod; one may come several times. There are none for a mirror Pod, which a node
 * makes itself: it would grant itself what the Pod names.
 */
export function podReferences(pod: KubeObject, add: (kind: ReferencedKind, name: string) => void): void {
  const { annotations } = pod.metadata;
  if (annotations !== undefined && Object.hasOwn(annotations, MIRROR_ANNOTATION)) return;
  const spec = recordOf(pod['spec']);
  const named = (kind: ReferencedKind, value: unknown): void => {
    const name = textOf(value);
    if (name !== '') add(kind, name);
  };
  named('serviceaccount', spec['serviceAccountName']);
  for (const { name } of recordsOf(spec['imagePullSecrets'])) named('secret', name);
  for (const field of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of recordsOf(spec[field])) containerReferences(container, named);
  }
  for (const volume of recordsOf(spec['volumes'])) volumeReferences(volume, pod.metadata.name ?? '', named);
  claimReferences(spec, recordOf(pod['status']), named);
}

type Add = (kind: ReferencedKind, name: unknown) => void;

function containerReferences(container: JsonRecord, add: Add): void {
  for (const source of recordsOf(container['envFrom'])) {
    add('secret', recordOf(source['secretRef'])['name']);
    add('configmap', recordOf(source['configMapRef'])['name']);
  }
  for (const variable of recordsOf(container['env'])) {
    const from = recordOf(variable['valueFrom']);
    add('secret', recordOf(from['secretKeyRef'])['name']);
    add('configmap', recordOf(from['configMapKeyRef'])['name']);
  }
}

function volumeReferences(volume: JsonRecord, pod: string, add: Add): void {
  const { azureFile, projected, secret, configMap, csi, persistentVolumeClaim: claim, ephemeral } = volume;
  add('secret', recordOf(azureFile)['secretName']);
  for (const kind of SECRET_REF_VOLUMES) add('secret', recordOf(recordOf(volume[kind])['secretRef'])['name']);
  add('secret', recordOf(secret)['secretName']);
  add('secret', recordOf(recordOf(csi)['nodePublishSecretRef'])['name']);
  add('configmap', recordOf(configMap)['name']);
  for (const source of recordsOf(recordOf(projected)['sources'])) {
    add('secret', recordOf(source['secret'])['name']);
    add('configmap', recordOf(source['configMap'])['name']);
  }
  if (isRecord(claim)) add('pvc', claim['claimName']);
  else if (isRecord(ephemeral)) add('pvc', `${pod}-${textOf(volume['name'])}`);
}

/** A claim that is made from a template has its name in the status, once it was made. */
function claimReferences(spec: JsonRecord, status: JsonRecord, add: Add): void {
  const made = recordsOf(status['resourceClaimStatuses']);
  for (const { name, resourceClaimName, resourceClaimTemplateName } of recordsOf(spec['resourceClaims'])) {
    if (textOf(resourceClaimName) !== '') add('resourceclaim', resourceClaimName);
    else if (textOf(resourceClaimTemplateName) !== '') {
      add('resourceclaim', made.find((one) => one['name'] === name)?.['resourceClaimName']);
    }
  }
  add('resourceclaim', recordOf(status['extendedResourceClaimStatus'])['resourceClaimName']);
}
