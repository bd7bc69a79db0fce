/** The objects that a new server creates. */

import { apiVersionOf } from '@listwatch/api';
import { AUTO_UPDATE, FLOW_SCHEMAS, PRIORITY_LEVELS } from '../kinds/cluster/flow-control-objects.ts';
import {
  DEFAULT_SERVICE_RANGE,
  firstServiceIp,
  parseServiceRange,
  type ServiceRange,
} from '../kinds/networking/cluster-ip-allocator.ts';
import { SYSTEM_PRIORITIES } from '../kinds/pods/priority-class.ts';
import type { KubeObject } from '../kube-object.ts';
import { builtInKind } from './built-in-kinds.ts';
import type { KindDefinition } from './kind-definition.ts';

/** An object to create, unless one of this name exists. It has no uid and no timestamps yet. */
export interface DefaultObject {
  readonly definition: KindDefinition;
  readonly object: KubeObject;
  /** The fields that its manager set; the server chose the others. */
  readonly written: KubeObject;
  /** The field manager of these fields, as in kube-apiserver. */
  readonly manager: string;
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

/** The types of the default objects. Load their schemas before calling {@link defaultObjects} or `defaultAccess`. */
export const DEFAULT_TYPES = [
  'core/v1.Namespace',
  'core/v1.Service',
  'flowcontrol/v1.FlowSchema',
  'flowcontrol/v1.PriorityLevelConfiguration',
  'rbac/v1.ClusterRole',
  'rbac/v1.ClusterRoleBinding',
  'rbac/v1.Role',
  'rbac/v1.RoleBinding',
  'scheduling/v1.PriorityClass',
] as const;

/**
 * The namespaces, the priority classes, the flow control objects, then the Service `kubernetes`, which gets the first
 * address of the range.
 */
export function defaultObjects(options: DefaultObjectsOptions = {}): readonly DefaultObject[] {
  const { serviceRange = parseServiceRange(DEFAULT_SERVICE_RANGE), port = 6443 } = options;
  const namespaces = DEFAULT_NAMESPACES.map((name) => prepared(builtInKind('core/v1.Namespace'), { name }));
  return [
    ...namespaces,
    ...[...SYSTEM_PRIORITIES].map(([name, fields]) =>
      prepared(builtInKind('scheduling/v1.PriorityClass'), { name }, fields),
    ),
    ...flowControl('flowcontrol/v1.PriorityLevelConfiguration', PRIORITY_LEVELS),
    ...flowControl('flowcontrol/v1.FlowSchema', FLOW_SCHEMAS),
    serverService(serviceRange, port),
  ];
}

function flowControl(
  type: 'flowcontrol/v1.FlowSchema' | 'flowcontrol/v1.PriorityLevelConfiguration',
  specs: typeof FLOW_SCHEMAS,
): readonly DefaultObject[] {
  return [...specs].map(([name, spec]) => ({
    ...prepared(builtInKind(type), { name, annotations: AUTO_UPDATE }, { spec }),
    manager: 'api-priority-and-fairness-config-producer-v1',
  }));
}

const SERVER_METADATA = {
  name: 'kubernetes',
  namespace: 'default',
  labels: { component: 'apiserver', provider: 'kubernetes' },
};

function serverService(range: ServiceRange, port: number): DefaultObject {
  const definition = builtInKind('core/v1.Service');
  const ip = firstServiceIp(range);
  const spec = {
    clusterIP: ip,
    ipFamilyPolicy: 'SingleStack',
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
  };
  const written = prepared(definition, SERVER_METADATA, { spec });
  const allocated = { ...spec, clusterIPs: [ip], ipFamilies: [range.family] };
  const { object } = prepared(definition, SERVER_METADATA, { spec: allocated });
  return { ...written, object };
}

function prepared(
  definition: KindDefinition,
  metadata: KubeObject['metadata'],
  rest: Readonly<Record<string, unknown>> = {},
): DefaultObject {
  const { resource, strategy } = definition;
  const own = strategy.raisesGeneration === undefined ? metadata : { ...metadata, generation: 1 };
  const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata: own, ...rest };
  const written = strategy.withDefaults(object, 0);
  return { definition, object: strategy.prepareForCreate(written, 0), written, manager: 'kube-apiserver' };
}
