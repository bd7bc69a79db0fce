/** Which addresses may be connected to: a Node, a Pod or an EndpointSlice can name any. */

import { networkInterfaces } from 'node:os';
import { type IpAddress, type IpRange, parseCidr, parseIp, rangeContains } from '@listwatch/api/values';

/** This machine, this link, groups of hosts, and no host at all. `::/96` is the deprecated form of IPv4 in IPv6, `::` and `::1`. */
const SPECIAL = ranges('0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '255.255.255.255/32').concat(
  ranges('::/96', 'fe80::/10', 'ff00::/8'),
);
const LOOPBACK = ranges('127.0.0.0/8', '::1/128');
/** Linux connects to itself for these. */
const UNSPECIFIED = ranges('0.0.0.0/32', '::/128');
/** IPv6 that reaches the IPv4 address in its last 32 bits: mapped (RFC 4291), translated (RFC 2765) and NAT64 (RFC 6052). */
const EMBEDDING = ranges('::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96');

/** Is it an address of this machine or link, or none of a host at all? Kubernetes proxies to none of these. */
export function isSpecialAddress(address: string): boolean {
  const reached = reachedBy(address);
  // Text that cannot be read could be any address.
  return reached === undefined || isIn(SPECIAL, reached);
}

/** Is it this machine, by any of its addresses? */
export function isOwnAddress(address: string): boolean {
  const reached = reachedBy(address);
  if (reached === undefined) return false;
  if (isIn(LOOPBACK, reached) || isIn(UNSPECIFIED, reached)) return true;
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((one) => isSame(reachedBy(one.address), reached)),
  );
}

/** Is it an address by which this machine reaches only itself? */
export function isLoopbackAddress(address: string): boolean {
  const reached = reachedBy(address);
  return reached !== undefined && isIn(LOOPBACK, reached);
}

/** The address that is reached: compared as text, `::ffff:7f00:1` would not be 127.0.0.1. A zone only names the interface. */
function reachedBy(text: string): IpAddress | undefined {
  const address = parseIp(text.replace(/%.*$/u, ''));
  if (address === undefined || !isIn(EMBEDDING, address)) return address;
  return { bits: 32, value: address.value & 0xffff_ffffn };
}

function isIn(all: readonly IpRange[], address: IpAddress): boolean {
  return all.some((range) => rangeContains(range, address));
}

function isSame(a: IpAddress | undefined, b: IpAddress): boolean {
  return a?.bits === b.bits && a.value === b.value;
}

function ranges(...texts: readonly string[]): readonly IpRange[] {
  return texts.flatMap((text) => parseCidr(text) ?? []);
}
