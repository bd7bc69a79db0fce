/** Allocates the cluster IP and the node ports of a Service. */

import { type FieldError, fieldInvalid, internalError, invalid } from '@listwatch/api';
import {
  defined,
  ipFamily,
  ipText,
  type JsonRecord,
  listOf,
  numberOf,
  parseIp,
  recordOf,
  recordsOf,
  textOf,
} from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import {
  allocateClusterIp,
  clusterIpProblem,
  HEADLESS,
  type IpFamily,
  type ServiceRange,
} from './cluster-ip-allocator.ts';
import { withFamilies } from './service-families.ts';
import { validateClusterIps } from './service-family-rules.ts';
import { needsHealthPort } from './service-traffic-rules.ts';

/** The range of node ports. */
export const NODE_PORTS: { readonly first: number; readonly last: number } = { first: 30_000, last: 32_767 };

/** The addresses in use, and the range to allocate from. */
export interface ServiceNetwork {
  /** Allocation uses the first range of the family with a free address. */
  readonly ranges: readonly ServiceRange[];
  /** The families that Services may have, the primary one first. Ranges of another family give out nothing. */
  readonly families: readonly IpFamily[];
  readonly isIpInUse: (ip: string) => boolean;
  readonly isNodePortInUse: (port: number) => boolean;
  /** Default: `Math.random`. */
  readonly random?: () => number;
}

/** The addresses of one Service. */
export interface ServiceAddresses {
  readonly ips: readonly string[];
  readonly nodePorts: readonly number[];
}

/** The cluster IPs, in their canonical text, and the node ports that a Service uses. */
export function serviceAddresses(service: KubeObject): ServiceAddresses {
  const spec = recordOf(service['spec']);
  return {
    ips: listOf(spec['clusterIPs'])
      .map(textOf)
      .filter((ip) => ip !== HEADLESS && ip !== '')
      .map(canonicalIp),
    nodePorts: [...recordsOf(spec['ports']).map(({ nodePort }) => nodePort), spec['healthCheckNodePort']]
      .map(numberOf)
      .filter((port) => port !== 0),
  };
}

/** `fd00::01` is the address `fd00::1`. Old Services may have texts that are no addresses by today's rules. */
function canonicalIp(ip: string): string {
  const address = parseIp(ip, { leadingZeros: true });
  return address === undefined ? ip : ipText(address);
}

/** Does a Service of this type have a cluster IP? `None` counts as one. */
export function needsClusterIp(spec: JsonRecord): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(textOf(spec['type']));
}

/** Does a Service of this type have node ports? */
export function needsNodePorts(spec: JsonRecord): boolean {
  if (spec['type'] === 'NodePort') return true;
  return spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false;
}

/**
 * The Service with its allocated addresses. Call it between the strategy's prepare and its validation, with `old` for an
 * update: addresses that the Service already has are not checked again. Throws the 422 `StatusError` for an address in
 * use, and a 500 when the range is full.
 */
export function withServiceNetwork(service: KubeObject, network: ServiceNetwork, old?: KubeObject): KubeObject {
  const spec = recordOf(service['spec']);
  if (!needsClusterIp(spec)) return service;
  const problems = validateClusterIps(spec);
  if (problems.length > 0) throw refused(service, ...problems);
  const { spec: stacked, errors } = withFamilies(spec, network.families, old && recordOf(old['spec']));
  if (errors.length > 0) throw refused(service, ...errors);
  const had = old === undefined ? { ips: [], nodePorts: [] } : serviceAddresses(old);
  const addressed = withAddresses(service, stacked, network, had.ips);
  const ports = needsNodePorts(spec) ? withNodePorts(service, spec, network, had.nodePorts) : spec['ports'];
  const health = needsHealthPort(spec) ? withHealthPort(spec, recordsOf(ports), network, had.nodePorts) : {};
  return { ...service, spec: defined({ ...addressed, ports, ...health }) };
}

/** An address for each of its families. */
function withAddresses(
  service: KubeObject,
  spec: JsonRecord,
  network: ServiceNetwork,
  had: readonly string[],
): JsonRecord {
  const wanted = listOf(spec['clusterIPs']).map(textOf);
  if (wanted[0] === HEADLESS) return spec;
  const clusterIPs = listOf(spec['ipFamilies']).map((family, index) => {
    const ip = wanted[index] ?? '';
    if (ip === '') {
      const free = freeAddress(network, textOf(family));
      if (free === undefined) throw internalError('failed to allocate a serviceIP: range is full');
      return free;
    }
    const problem = had.includes(canonicalIp(ip)) ? undefined : addressProblem(network, ip);
    if (problem !== undefined) throw refused(service, fieldInvalid('spec.clusterIPs', wanted, problem));
    return ip;
  });
  return { ...spec, clusterIP: clusterIPs[0], clusterIPs };
}

/** Why no range can allocate the address; undefined if one can. Prefers the reason "already allocated". */
function addressProblem({ ranges, isIpInUse }: ServiceNetwork, ip: string): string | undefined {
  const canonical = canonicalIp(ip);
  const family = ipFamily(canonical);
  const problems = ranges
    .filter((range) => range.family === family)
    .map((range) => clusterIpProblem(range, canonical, isIpInUse));
  if (problems.includes(undefined)) return undefined;
  return problems.find((problem) => problem?.endsWith('already allocated') === true) ?? problems[0];
}

function freeAddress({ ranges, isIpInUse, random }: ServiceNetwork, family: string): string | undefined {
  for (const range of ranges) {
    if (range.family !== family) continue;
    const ip = allocateClusterIp(range, isIpInUse, random);
    if (ip !== undefined) return ip;
  }
  return undefined;
}

function withNodePorts(
  service: KubeObject,
  spec: JsonRecord,
  network: ServiceNetwork,
  had: readonly number[],
): readonly JsonRecord[] {
  const ports = recordsOf(spec['ports']);
  // Includes the node ports that later entries name, so that an earlier entry is not given one of them.
  const taken = new Set(ports.map(({ nodePort }) => numberOf(nodePort)));
  const own = new Set(had);
  return ports.map((port, index) => {
    const wanted = numberOf(port['nodePort']);
    if (wanted !== 0 && !own.has(wanted)) checkNodePort(service, network, wanted, index);
    const nodePort = wanted || freeNodePort(network, taken);
    taken.add(nodePort);
    return { ...port, nodePort };
  });
}

/** The health check node port: on it, a load balancer asks a node whether it has pods of the Service. */
function withHealthPort(
  spec: JsonRecord,
  ports: readonly JsonRecord[],
  network: ServiceNetwork,
  had: readonly number[],
): JsonRecord {
  const wanted = numberOf(spec['healthCheckNodePort']);
  const taken = new Set(ports.map(({ nodePort }) => numberOf(nodePort)));
  if (wanted === 0) return { healthCheckNodePort: freeNodePort(network, taken) };
  if (had.includes(wanted) || wanted < 1 || wanted > PORT_MAX) return {};
  const problem = taken.has(wanted) ? ALLOCATED : nodePortProblem(network, wanted);
  if (problem === undefined) return {};
  throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`);
}

const PORT_MAX = 65_535;
const ALLOCATED = 'provided port is already allocated';

function nodePortProblem(network: ServiceNetwork, port: number): string | undefined {
  const { first, last } = NODE_PORTS;
  if (port < first || port > last) {
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  }
  return network.isNodePortInUse(port) ? ALLOCATED : undefined;
}

function checkNodePort(service: KubeObject, network: ServiceNetwork, port: number, index: number): void {
  const problem = nodePortProblem(network, port);
  if (problem !== undefined) throw refused(service, fieldInvalid(`spec.ports[${index}].nodePort`, port, problem));
}

function freeNodePort(network: ServiceNetwork, taken: ReadonlySet<number>): number {
  const { first, last } = NODE_PORTS;
  const count = last - first + 1;
  const start = Math.floor((network.random ?? Math.random)() * count);
  for (let step = 0; step < count; step++) {
    const port = first + ((start + step) % count);
    if (!taken.has(port) && !network.isNodePortInUse(port)) return port;
  }
  throw internalError('failed to allocate a nodePort: range is full');
}

function refused(service: KubeObject, ...errors: readonly FieldError[]): Error {
  return invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors);
}
