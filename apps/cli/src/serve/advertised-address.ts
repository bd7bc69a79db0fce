/** The address under which other machines reach the server. */

import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses that mean another machine elsewhere. */
const LOCAL = new BlockList();
LOCAL.addAddress('0.0.0.0', 'ipv4');
LOCAL.addAddress('::', 'ipv6');
LOCAL.addSubnet('127.0.0.0', 8, 'ipv4');
LOCAL.addAddress('::1', 'ipv6');
LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LOCAL.addSubnet('fe80::', 10, 'ipv6');

/** What it is chosen from. */
export interface AddressChoice {
  /** What --advertise-address says. */
  readonly advertiseAddress: string | undefined;
  readonly bindAddress: string;
}

/**
 * As kube-apiserver: the option, or the address that the server listens on, or, when that is local, the first of the machine's
 * interfaces. Undefined when the machine has none.
 */
export function advertisedAddress(
  { advertiseAddress, bindAddress }: AddressChoice,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): string | undefined {
  if (advertiseAddress !== undefined) return advertiseAddress;
  if (!isLocal(bindAddress)) return bindAddress;
  const all = Object.values(interfaces).flatMap((one) => one ?? []);
  const reachable = all.filter(({ internal, address }) => !internal && !isLocal(address));
  return (reachable.find(({ family }) => family === 'IPv4') ?? reachable[0])?.address;
}

/** Is it an address that no other machine can use for this one? */
export function isLocal(address: string): boolean {
  return LOCAL.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
