/** Service: one address for a set of pods. */

import {
  defined,
  extended,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, labelsCell, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import { listedFields } from '../../strategy/field-selection.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { labelName } from '../../validation/name-rules.ts';
import { validateLoadBalancerStatus, withAddressModes } from './load-balancer-status.ts';
import { validateServiceAddresses } from './service-address-rules.ts';
import { needsClusterIp } from './service-network.ts';
import { needsHealthPort, TRAFFIC_FIELDS, TRAFFIC_POLICIES } from './service-traffic-rules.ts';
import { validateService, validateServiceChange } from './service-validation.ts';

/** The rules of Service. Its addresses come from `withServiceNetwork`. */
export const service: KindRules = {
  fieldsOf: (object) => {
    const spec = recordOf(object['spec']);
    return { 'spec.clusterIP': textOf(spec['clusterIP']), 'spec.type': textOf(spec['type']) };
  },
  resolveField: listedFields(['metadata.namespace', 'metadata.name', 'spec.clusterIP', 'spec.type']),
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Type', 'How the service is reached.'),
      column('Cluster-IP', 'Its address in the cluster.'),
      column('External-IP', 'Its addresses for the world.'),
      column('Port(s)', 'Its ports, with their ports on the nodes.'),
      AGE_COLUMN,
      column('Selector', 'Which pods it stands for.', { priority: 1 }),
    ],
    cells,
  },
  applyDefaults: (object) => ({ ...object, spec: defaultSpec(recordOf(object['spec'])) }),
  onCreate: (object) => ({ ...object, spec: withList(recordOf(object['spec'])), status: {} }),
  onUpdate,
  onStatusUpdate: (object, old) => withAddressModes({ ...object, spec: old['spec'] }),
  validate: (object) => [...validateService(object), ...validateServiceAddresses(object)],
  validateUpdate: (object, old) => [
    ...validateServiceChange(object, old),
    ...validateServiceAddresses(object, old),
    ...(sameJson(object['status'], old['status']) ? [] : validateLoadBalancerStatus(object, old)),
    ...validateService(object),
  ],
  strategy: { allowsCreateOnUpdate: true, returnsDeletedObject: true },
  checkName: labelName,
};

const CLIENT_IP_SECONDS = 10_800;

function defaultSpec(spec: JsonRecord): JsonRecord {
  const type = textOf(spec['type']) || 'ClusterIP';
  const affinity = textOf(spec['sessionAffinity']) || 'None';
  const seconds = recordOf(recordOf(spec['sessionAffinityConfig'])['clientIP'])['timeoutSeconds'];
  const affinityConfig = { clientIP: { timeoutSeconds: seconds ?? CLIENT_IP_SECONDS } };
  const external = type === 'ExternalName';
  const reachable =
    type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && listOf(spec['externalIPs']).length > 0);
  return defined({
    ...spec,
    ports: spec['ports'] === undefined ? undefined : recordsOf(spec['ports']).map(defaultPort),
    type,
    sessionAffinity: affinity,
    sessionAffinityConfig: affinity === 'ClientIP' ? affinityConfig : undefined,
    externalTrafficPolicy: spec['externalTrafficPolicy'] ?? (reachable && !external ? 'Cluster' : undefined),
    internalTrafficPolicy: internalPolicy(spec, external),
    allocateLoadBalancerNodePorts:
      spec['allocateLoadBalancerNodePorts'] ?? (type === 'LoadBalancer' ? true : undefined),
  });
}

/** An ExternalName Service has no policy. An invalid policy is kept, so that validation reports it. */
function internalPolicy({ internalTrafficPolicy: policy }: JsonRecord, external: boolean): unknown {
  if (!external) return policy ?? 'Cluster';
  return TRAFFIC_POLICIES.includes(textOf(policy)) ? undefined : policy;
}

function defaultPort(port: JsonRecord): JsonRecord {
  const { targetPort } = port;
  const target = targetPort === undefined || targetPort === 0 || targetPort === '' ? port['port'] : targetPort;
  return extended(port, { protocol: textOf(port['protocol']) || 'TCP', targetPort: target });
}

/** Fills `clusterIPs` from `clusterIP`, for clients that set the single field only. */
function withList(spec: JsonRecord): JsonRecord {
  const ip = textOf(spec['clusterIP']);
  return ip !== '' && listOf(spec['clusterIPs']).length === 0 ? { ...spec, clusterIPs: [ip] } : spec;
}

function onUpdate(object: KubeObject, oldObject: KubeObject): KubeObject {
  const old = recordOf(oldObject['spec']);
  const spec = withoutStaleTraffic(
    withHealthPort(withPorts(withAddresses(recordOf(object['spec']), old), old), old),
    old,
  );
  const status =
    spec['type'] === 'LoadBalancer' ? oldObject['status'] : { ...recordOf(oldObject['status']), loadBalancer: {} };
  return { ...object, spec: defined(spec), status };
}

/** Drops fields that only the old type may have, if the client has not changed them. */
function withoutStaleTraffic(spec: JsonRecord, old: JsonRecord): JsonRecord {
  const stale = TRAFFIC_FIELDS.filter(([name, has]) => has(old) && !has(spec) && sameJson(spec[name], old[name]));
  return { ...spec, ...Object.fromEntries(stale.map(([name]) => dropped(name))) };
}

/** Keeps allocated addresses that a client leaves out, and drops them when the new type has none. */
function withAddresses(spec: JsonRecord, old: JsonRecord): JsonRecord {
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    const given = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];
    return { ...spec, ...Object.fromEntries(given.filter((name) => sameJson(spec[name], old[name])).map(dropped)) };
  }
  if (!needsClusterIp(spec) || !needsClusterIp(old)) return withList(spec);
  const clusterIP = textOf(spec['clusterIP']) || old['clusterIP'];
  const same = clusterIP === old['clusterIP'];
  const stale = sameJson(spec['clusterIPs'], old['clusterIPs']);
  return {
    ...spec,
    clusterIP,
    clusterIPs: same
      ? (spec['clusterIPs'] ?? old['clusterIPs'])
      : stale
        ? [clusterIP]
        : (spec['clusterIPs'] ?? [clusterIP]),
    ipFamilies: spec['ipFamilies'] ?? old['ipFamilies'],
    ipFamilyPolicy: spec['ipFamilyPolicy'] ?? old['ipFamilyPolicy'],
  };
}

/** True also if `allocateLoadBalancerNodePorts` is false: such a load balancer keeps its existing node ports. */
function mayHaveNodePorts({ type }: JsonRecord): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function withPorts(spec: JsonRecord, old: JsonRecord): JsonRecord {
  const had = new Map(recordsOf(old['ports']).map(({ name, nodePort }) => [textOf(name), numberOf(nodePort)]));
  const ports = recordsOf(spec['ports']);
  const used = new Set(ports.map(({ nodePort }) => numberOf(nodePort)));
  if (mayHaveNodePorts(old) && mayHaveNodePorts(spec)) {
    return { ...spec, ports: ports.map((port) => withNodePort(port, had, used)) };
  }
  const unchanged = ports.every(({ name, nodePort }) => numberOf(nodePort) === (had.get(textOf(name)) ?? 0));
  if (!mayHaveNodePorts(old) || mayHaveNodePorts(spec) || !unchanged) return spec;
  return { ...spec, ports: ports.map((port) => ({ ...port, nodePort: 0 })) };
}

/** Keeps the port for health checks that a client leaves out. */
function withHealthPort(spec: JsonRecord, old: JsonRecord): JsonRecord {
  const kept = needsHealthPort(spec) && needsHealthPort(old) && numberOf(spec['healthCheckNodePort']) === 0;
  return kept ? { ...spec, healthCheckNodePort: old['healthCheckNodePort'] } : spec;
}

function withNodePort(port: JsonRecord, had: ReadonlyMap<string, number>, used: ReadonlySet<number>): JsonRecord {
  const known = had.get(textOf(port['name'])) ?? 0;
  return numberOf(port['nodePort']) !== 0 || used.has(known) ? port : { ...port, nodePort: known };
}

function dropped(name: string): readonly [string, undefined] {
  return [name, undefined];
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const spec = recordOf(object['spec']);
  return [
    nameCell(object),
    textOf(spec['type']),
    textOf(listOf(spec['clusterIPs'])[0]) || '<none>',
    externalCell(object, spec),
    recordsOf(spec['ports']).map(portCell).join(',') || '<none>',
    ageCell(object, now),
    labelsCell(recordOf(spec['selector'])),
  ];
}

function externalCell(object: KubeObject, spec: JsonRecord): string {
  const external = listOf(spec['externalIPs']).map(textOf);
  switch (spec['type']) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer': {
      const ingress = recordsOf(recordOf(recordOf(object['status'])['loadBalancer'])['ingress']);
      const balanced = new Set(ingress.map(({ ip, hostname }) => textOf(ip) || textOf(hostname)));
      return [...[...balanced].filter((place) => place !== '').toSorted(), ...external].join(',') || '<pending>';
    }
    case 'ExternalName':
      return textOf(spec['externalName']);
    default:
      return '<unknown>';
  }
}

function portCell({ port, nodePort, protocol }: JsonRecord): string {
  const onNodes = numberOf(nodePort) > 0 ? `:${numberOf(nodePort)}` : '';
  return `${numberOf(port)}${onNodes}/${textOf(protocol)}`;
}
