/** The Secrets that a kubelet needs to mount a PersistentVolume. */

import { isRecord, type JsonRecord, recordOf, textOf } from '@listwatch/api/values';

/** A Secret. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** Volumes whose Secret is in `secretRef`, in the namespace of the claim unless it names one. */
const CLAIM_NAMESPACE_VOLUMES = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
/** Volumes whose Secret is in the namespace that the reference names. */
const OWN_NAMESPACE_VOLUMES = ['cinder', 'storageos'];
/** What only controllers of storage need is not here. */
const CSI_SECRETS = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

/** All of them; `namespace` is that of the claim. */
export function volumeSecrets(spec: JsonRecord, namespace: string): readonly SecretName[] {
  const azure = recordOf(spec['azureFile']);
  return [
    { namespace: textOf(azure['secretNamespace']) || namespace, name: textOf(azure['secretName']) },
    ...CLAIM_NAMESPACE_VOLUMES.flatMap((kind) => secretRef(recordOf(spec[kind])['secretRef'], namespace)),
    ...OWN_NAMESPACE_VOLUMES.flatMap((kind) => secretRef(recordOf(spec[kind])['secretRef'], '')),
    ...CSI_SECRETS.flatMap((field) => secretRef(recordOf(spec['csi'])[field], '')),
  ].filter(({ name }) => name !== '');
}

function secretRef(value: unknown, fallback: string): readonly SecretName[] {
  if (!isRecord(value)) return [];
  return [{ namespace: textOf(value['namespace']) || fallback, name: textOf(value['name']) }];
}
