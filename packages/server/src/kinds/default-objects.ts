/** The objects that a new server creates. */

import { builtInKind } from './built-in-kinds.ts';
import { DEFAULT_SERVICE_RANGE, firstServiceIp, parseServiceRange, type ServiceRange } from './cluster-ip-allocator.ts';
import type { KubeObject, ResourceDefinition } from './resource-definition.ts';

/** An object to create unless its name is taken. It has no uid and no timestamps yet. */
export interface DefaultObject {
  readonly definition: ResourceDefinition;
  readonly object: KubeObject;
}

/** The addresses that the default objects contain. */
export interface DefaultObjectsOptions {
  /** Default: {@link DEFAULT_SERVICE_RANGE}. */
  readonly serviceRange?: ServiceRange;
  /** The port that the server listens on. Default: 6443. */
  readonly port?: number;
}

/** The default namespaces. Kubelets renew their leases in the last one. */
export const DEFAULT_NAMESPACES: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/**
 * The namespaces, then the service through which pods reach the server: it takes the first address of the range. The schemas of
 * these kinds must be loaded.
 */
export function defaultObjects(options: DefaultObjectsOptions = {}): readonly DefaultObject[] {
  const { serviceRange = parseServiceRange(DEFAULT_SERVICE_RANGE), port = 6443 } = options;
  const namespaces = DEFAULT_NAMESPACES.map((name) => prepared(builtInKind('core/v1.Namespace'), { name }));
  return [
    ...namespaces,
    prepared(builtInKind('core/v1.Service'), SERVER_METADATA, { spec: serverSpec(serviceRange, port) }),
  ];
}

const SERVER_METADATA = {
  name: 'kubernetes',
  namespace: 'default',
  labels: { component: 'apiserver', provider: 'kubernetes' },
};

function serverSpec(range: ServiceRange, port: number): unknown {
  const ip = firstServiceIp(range);
  return {
    clusterIP: ip,
    clusterIPs: [ip],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
  };
}

function prepared(
  definition: ResourceDefinition,
  metadata: KubeObject['metadata'],
  rest: Readonly<Record<string, unknown>> = {},
): DefaultObject {
  const { kind, version } = definition.resource;
  return { definition, object: definition.strategy.prepareForCreate({ kind, apiVersion: version, metadata, ...rest }) };
}
