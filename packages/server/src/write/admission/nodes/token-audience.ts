/** The audiences of the tokens that a kubelet may ask for: those that volumes of the Pod need, and those that it is allowed by name. */

import { isRecord, type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject, ObjectLookup } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { Authorizer } from '../../../contract/authorization.ts';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';

/** What is read, and who decides. */
export interface TokenAudienceParts {
  /** Reads one object of a kind. */
  readonly lookup: (type: TypeName) => ObjectLookup;
  readonly authorizer: Pick<Authorizer, 'authorize'>;
}

const VERB = 'request-serviceaccounts-token-audience';
/** The drivers that took over from volumes that Kubernetes once mounted itself. */
const MIGRATED: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
};

/** Why the node may not have a token for these audiences; undefined when it may. */
export async function audienceProblem(
  parts: TokenAudienceParts,
  { user, namespace, name }: DynamicRequest,
  audiences: readonly string[],
  pod: KubeObject,
): Promise<string | undefined> {
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const [audience = ''] = audiences;
  const problems: string[] = [];
  if (needsAudience(parts, pod, audience, problems)) return undefined;
  if (problems.length > 0) {
    const [first = '', ...others] = new Set(problems);
    const all = others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
    return `error validating audience ${JSON.stringify(audience)}: ${all}`;
  }
  const place = { group: '', version: 'v1', resource: audience, subresource: '', namespace, name, path: '' };
  const missing = `audience ${JSON.stringify(audience)} not found in pod spec volume`;
  try {
    const { allowed } = await parts.authorizer.authorize({ user, verb: VERB, isResource: true, ...place });
    return allowed ? undefined : `${missing}, ${user.name} is not authorized to request tokens for this audience`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${missing}, error authorizing ${user.name} to request tokens for this audience: ${why}`;
  }
}

/** Does a volume of the Pod need a token for the audience? Adds what could not be found out to `problems`. */
function needsAudience(parts: TokenAudienceParts, pod: KubeObject, audience: string, problems: string[]): boolean {
  const { namespace = '', name: podName = '' } = pod.metadata;
  for (const volume of recordsOf(recordOf(pod['spec'])['volumes'])) {
    for (const { serviceAccountToken: token } of recordsOf(recordOf(volume['projected'])['sources'])) {
      if (isRecord(token) && textOf(token['audience']) === audience) return true;
    }
    const driver = driverOf(parts, volume, { namespace, podName });
    if ('problem' in driver) problems.push(driver.problem);
    else if (driver.name !== '') {
      const found = parts.lookup('storage/v1.CSIDriver')('', driver.name);
      if (found === undefined) problems.push(`csidriver.storage.k8s.io ${JSON.stringify(driver.name)} not found`);
      const requests = recordsOf(recordOf(found?.['spec'])['tokenRequests']);
      if (requests.some((one) => textOf(one['audience']) === audience)) return true;
    }
  }
  return false;
}

/** The CSI driver of a volume: its own, that of the volume behind its claim, or the one that took its kind over. `''`: none. */
function driverOf(
  { lookup }: TokenAudienceParts,
  volume: JsonRecord,
  { namespace, podName }: { readonly namespace: string; readonly podName: string },
): { readonly name: string } | { readonly problem: string } {
  const { ephemeral, persistentVolumeClaim: claim, csi } = volume;
  const isMade = isRecord(ephemeral) && isRecord(ephemeral['volumeClaimTemplate']);
  if (!isMade && !isRecord(claim)) return { name: isRecord(csi) ? textOf(csi['driver']) : migratedDriver(volume) };
  const claimName = isMade ? `${podName}-${textOf(volume['name'])}` : textOf(recordOf(claim)['claimName']);
  const found = lookup('core/v1.PersistentVolumeClaim')(namespace, claimName);
  if (found === undefined) return { problem: `persistentvolumeclaim ${JSON.stringify(claimName)} not found` };
  const volumeName = textOf(recordOf(found['spec'])['volumeName']);
  const behind = lookup('core/v1.PersistentVolume')('', volumeName);
  if (behind === undefined) return { problem: `persistentvolume ${JSON.stringify(volumeName)} not found` };
  const spec = recordOf(behind['spec']);
  return { name: isRecord(spec['csi']) ? textOf(spec['csi']['driver']) : migratedDriver(spec) };
}

function migratedDriver(volume: JsonRecord): string {
  const kind = Object.keys(MIGRATED).find((one) => isRecord(volume[one]));
  return kind === undefined ? '' : (MIGRATED[kind] ?? '');
}
