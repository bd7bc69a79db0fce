/** An APIService: who serves a version of a group. */

import { numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';

/** The label of APIServices that a server created. */
export const MANAGED_LABEL = 'kube-aggregator.kubernetes.io/automanaged';

/** The Service of a backend. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

const HTTPS_PORT = 443;

/** What the server needs of an APIService. */
export interface ApiService {
  /** `v1beta1.metrics.k8s.io` */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  /** Undefined: this server serves the version itself. */
  readonly service: ServiceReference | undefined;
  /** Base64 of PEM; `''`: the authorities that Node trusts. */
  readonly caBundle: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly isAvailable: boolean;
  /** Its condition says that it needs no backend. */
  readonly isKnownLocal: boolean;
}

/** An APIService that a backend serves. */
export type RemoteApiService = ApiService & { readonly service: ServiceReference };

export function readApiService(object: KubeObject): ApiService {
  const spec = recordOf(object['spec']);
  const reference = spec['service'];
  const service = recordOf(reference);
  const conditions = recordsOf(recordOf(object['status'])['conditions']);
  const available = conditions.find(({ type }) => type === 'Available');
  return {
    name: object.metadata.name ?? '',
    group: textOf(spec['group']),
    version: textOf(spec['version']),
    service:
      reference === undefined || reference === null
        ? undefined
        : {
            namespace: textOf(service['namespace']),
            name: textOf(service['name']),
            port: numberOf(service['port']) || HTTPS_PORT,
          },
    caBundle: textOf(spec['caBundle']),
    insecureSkipTlsVerify: spec['insecureSkipTLSVerify'] === true,
    groupPriority: numberOf(spec['groupPriorityMinimum']),
    versionPriority: numberOf(spec['versionPriority']),
    isAvailable: available?.['status'] === 'True',
    isKnownLocal: available?.['status'] === 'True' && available['reason'] === 'Local',
  };
}

export function isRemote(service: ApiService): service is RemoteApiService {
  return service.service !== undefined;
}

/** The Service of kube-apiserver is this server itself: it answers such a version as its own, without a connection. */
export function isServedHere({ namespace, name, port }: ServiceReference): boolean {
  return namespace === 'default' && name === 'kubernetes' && port === HTTPS_PORT;
}

/** Do requests reach the same backend in the same way? */
export function hasSameBackend(one: RemoteApiService, other: RemoteApiService): boolean {
  return (
    one.caBundle === other.caBundle &&
    one.insecureSkipTlsVerify === other.insecureSkipTlsVerify &&
    one.service.namespace === other.service.namespace &&
    one.service.name === other.service.name &&
    one.service.port === other.service.port
  );
}
