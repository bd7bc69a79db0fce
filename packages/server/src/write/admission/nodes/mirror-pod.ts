/** Mirror Pods: a kubelet shows the Pods of its manifest files by them, and may create no others. */

import { type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';

const ANNOTATION = 'kubernetes.io/config.mirror';

/** Volumes that are made of nothing that the API has. */
const PLAIN_VOLUMES = [
  'awsElasticBlockStore',
  'azureDisk',
  'cephfs',
  'cinder',
  'downwardAPI',
  'emptyDir',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];
/** Volumes that refer to objects, and what they are called. */
const REFERRING_VOLUMES: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
};
const PROJECTED_SOURCES: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
};
/** Volumes that name a Secret beside themselves. */
const SECRET_REFS = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

/** Why the node may not create the Pod. `uidOfNode` throws when the Node does not exist. */
export function mirrorPodProblem(pod: KubeObject, node: string, uidOfNode: () => string): string | undefined {
  const { annotations = {} } = pod.metadata;
  if (!Object.hasOwn(annotations, ANNOTATION)) {
    return `pod does not have "${ANNOTATION}" annotation, node "${node}" can only create mirror pods`;
  }
  if (recordOf(pod['spec'])['nodeName'] !== node) {
    return `node "${node}" can only create pods with spec.nodeName set to itself`;
  }
  return ownerProblem(recordsOf(pod.metadata['ownerReferences']), node, uidOfNode) ?? referenceProblem(pod, node);
}

function ownerProblem(owners: readonly JsonRecord[], node: string, uidOfNode: () => string): string | undefined {
  const may = `node "${node}" can only create pods with`;
  if (owners.length > 1) return `${may} a single owner reference set to itself`;
  const [owner] = owners;
  if (owner?.['apiVersion'] !== 'v1' || owner['kind'] !== 'Node' || owner['name'] !== node) {
    return `${may} an owner reference set to itself`;
  }
  if (owner['controller'] !== true) return `${may} a controller owner reference set to itself`;
  if (owner['blockOwnerDeletion'] === true) {
    return `node "${node}" must not set blockOwnerDeletion on an owner reference`;
  }
  const [uid, current] = [textOf(owner['uid']), uidOfNode()];
  return uid === current ? undefined : `node ${node} UID mismatch: expected ${uid} got ${current}`;
}

/** A Pod that names objects would let its node read them. */
function referenceProblem(pod: KubeObject, node: string): string | undefined {
  const spec = recordOf(pod['spec']);
  const may = `node "${node}" can not create pods that reference`;
  if (textOf(spec['serviceAccountName']) !== '') return `${may} serviceaccounts`;
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => recordsOf(spec[field]));
  const volumes = recordsOf(spec['volumes']);
  if (namesSecret(spec, containers, volumes)) return `${may} secrets`;
  if (
    containers.some((one) => namesIn(one, 'configMap')) ||
    volumes.some((one) => volumeNames(one, 'configMap', 'name'))
  ) {
    return `${may} configmaps`;
  }
  if (listOf(spec['resourceClaims']).length > 0) return `${may} resourceclaims`;
  for (const volume of volumes) {
    const problem = volumeProblem(volume);
    if (problem !== undefined) return problem.isUnknown ? problem.text : `${may} ${problem.text}`;
  }
  return undefined;
}

function namesSecret(spec: JsonRecord, containers: readonly JsonRecord[], volumes: readonly JsonRecord[]): boolean {
  return (
    recordsOf(spec['imagePullSecrets']).some(isNamed) ||
    containers.some((one) => namesIn(one, 'secret')) ||
    volumes.some(
      (volume) =>
        volumeNames(volume, 'secret', 'secretName') ||
        textOf(recordOf(volume['azureFile'])['secretName']) !== '' ||
        isNamed(recordOf(volume['csi'])['nodePublishSecretRef']) ||
        SECRET_REFS.some((kind) => isNamed(recordOf(volume[kind])['secretRef'])),
    )
  );
}

function isNamed(reference: unknown): boolean {
  return textOf(recordOf(reference)['name']) !== '';
}

/** Does a container take variables from a Secret, or from a ConfigMap? */
function namesIn({ env, envFrom }: JsonRecord, kind: 'configMap' | 'secret'): boolean {
  return (
    recordsOf(envFrom).some((source) => isNamed(source[`${kind}Ref`])) ||
    recordsOf(env).some((variable) => isNamed(recordOf(variable['valueFrom'])[`${kind}KeyRef`]))
  );
}

/** Is the volume, or a part of a projected one, made of a named Secret or ConfigMap? */
function volumeNames(volume: JsonRecord, kind: 'configMap' | 'secret', field: string): boolean {
  const parts = recordsOf(recordOf(volume['projected'])['sources']);
  return (
    textOf(recordOf(volume[kind])[field]) !== '' || parts.some((part) => textOf(recordOf(part[kind])['name']) !== '')
  );
}

function unknownVolume(text: string): VolumeProblem {
  return { text: `error checking mirror pod for API references: ${text}`, isUnknown: true };
}

interface VolumeProblem {
  readonly text: string;
  /** It is of no kind that is known here. */
  readonly isUnknown: boolean;
}

function volumeProblem(volume: JsonRecord): VolumeProblem | undefined {
  const has = (kind: string): boolean => volume[kind] !== undefined && volume[kind] !== null;
  if (PLAIN_VOLUMES.some(has)) return undefined;
  const kind = Object.keys(REFERRING_VOLUMES).find(has);
  if (kind !== undefined) return { text: REFERRING_VOLUMES[kind] ?? kind, isUnknown: false };
  const name = textOf(volume['name']);
  if (!has('projected')) return unknownVolume(`unknown volume type for volume  "${name}"`);
  for (const source of recordsOf(recordOf(volume['projected'])['sources'])) {
    const referred = Object.keys(PROJECTED_SOURCES).find((one) => source[one] !== undefined);
    if (referred !== undefined) return { text: PROJECTED_SOURCES[referred] ?? referred, isUnknown: false };
    if (source['downwardAPI'] === undefined) return unknownVolume(`unknown source for projected volume "${name}"`);
  }
  return undefined;
}
