/** Which addresses may be connected to: a Node, a Pod or an EndpointSlice can name any. */

import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Is it an address of this machine or link, or none of a host at all? Kubernetes proxies to none of these. */
export function isSpecialAddress(address: string): boolean {
  const plain = unmapped(address);
  if (isIPv4(plain)) return /^(?:0\.|127\.|169\.254\.|22[4-9]\.|23\d\.|255\.255\.255\.255$)/u.test(plain);
  return /^(?:::1?$|fe[89ab]|ff)/iu.test(plain);
}

/** Is it this machine, by any of its addresses? */
export function isOwnAddress(address: string): boolean {
  const plain = unmapped(address);
  if (isIPv4(plain) ? /^(?:0\.0\.0\.0$|127\.)/u.test(plain) : /^::1?$/u.test(plain)) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === plain));
}

/** Is it an address by which this machine reaches only itself? */
export function isLoopbackAddress(address: string): boolean {
  const plain = unmapped(address);
  return isIPv4(plain) ? plain.startsWith('127.') : plain === '::1';
}

/** An IPv4 address that is written as IPv6 reaches the same host. */
function unmapped(address: string): string {
  const bare = address.replace(/%.*$/u, '').toLowerCase();
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/u.exec(bare)?.[1] ?? bare;
}
