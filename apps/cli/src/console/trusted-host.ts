/** Which values of `Host` the door answers: the name of another site that resolves to this machine is refused. */

import { isIP, isIPv6 } from 'node:net';

/** Where the door listens. */
export interface DoorAddress {
  readonly address: string;
  readonly port: number;
}

/** `127.0.0.1`, or `[::1]` as it stands in a URL. */
export function hostText(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}

/** An address for a browser: that of all interfaces is none, but this machine is reached by its own. */
export function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/** Can only programs on this machine reach it? */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * On loopback only the door's own address and `localhost`, with its port. On another address any IP address: behind a
 * forwarded port it is not the door's own, and an attacker who rebinds DNS has a name there.
 */
export function isTrustedHost(host: string | undefined, { address, port }: DoorAddress): boolean {
  if (host === undefined) return false;
  if (isLoopback(address)) return host === `${hostText(address)}:${port}` || host === `localhost:${port}`;
  const [, bracketed, plain = ''] = /^(?:\[([\d.:a-f]+)\]|([\w.-]+))(?::\d{1,5})?$/iu.exec(host) ?? [];
  return bracketed === undefined ? isIP(plain) === 4 || plain === 'localhost' : isIPv6(bracketed);
}
