/** The names under which clients reach the server, which its certificate must show. */

import { hostname, networkInterfaces } from 'node:os';

/** What goes into a serving certificate. */
export interface ServingNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** What this machine is called; given by tests. */
export interface Machine {
  readonly hostname: string;
  readonly addresses: readonly string[];
}

/** As kube-apiserver is called in a cluster. */
const CLUSTER_NAMES = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];
const LOOPBACK = ['127.0.0.1', '::1'];

/** Does this address stand for all addresses of the machine? */
export function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || /^[0:]+$/u.test(address);
}

/**
 * The names of a server on this address. One that listens on all addresses is reached by every name and address of
 * the machine.
 */
export function servingNames(bindAddress: string, machine: Machine = thisMachine()): ServingNames {
  const everywhere = isUnspecified(bindAddress);
  const dnsNames = ['localhost', ...CLUSTER_NAMES, ...(everywhere ? [machine.hostname] : [])];
  const ipAddresses = [...LOOPBACK, ...(everywhere ? machine.addresses : [bindAddress])];
  return {
    dnsNames: unique(dnsNames.map((name) => name.toLowerCase()).filter(isDnsName)),
    ipAddresses: unique(ipAddresses.map((address) => address.split('%')[0] ?? address)),
  };
}

function thisMachine(): Machine {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // Link-local addresses need a zone to be used, and come and go with their interfaces.
  const addresses = interfaces.map(({ address }) => address).filter((address) => !/^fe80:/iu.test(address));
  return { hostname: hostname(), addresses };
}

/** A host may be called something that no certificate can say, `my_laptop` for example. */
function isDnsName(name: string): boolean {
  return name.length <= 253 && /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/u.test(name);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
