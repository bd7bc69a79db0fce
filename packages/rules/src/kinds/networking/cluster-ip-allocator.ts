/** Allocates cluster IPs of Services from a range. */

import { firstOfRange, ipText, parseCidr, parseIp } from '@listwatch/api/values';

/** The default range of cluster IPs. */
export const DEFAULT_SERVICE_RANGE = '10.96.0.0/12';

/** The `clusterIP` of a headless Service. */
export const HEADLESS = 'None';

/** A range of IPv4 addresses, without its first (the network) and its last (broadcast). */
export interface ServiceRange {
  readonly cidr: string;
  /** The network's own address, as a number. */
  readonly base: number;
  /** How many addresses can be allocated. */
  readonly size: number;
}

/** Reads a range such as `10.96.0.0/12`. Throws a TypeError for invalid text or a range without usable addresses. */
export function parseServiceRange(cidr: string): ServiceRange {
  const range = parseCidr(cidr);
  if (range?.bits !== 32 || range.prefix > 30 || firstOfRange(range).value !== range.value) {
    throw new TypeError(`not a range of IPv4 addresses: ${JSON.stringify(cidr)}`);
  }
  return { cidr, base: Number(range.value), size: 2 ** (32 - range.prefix) - 2 };
}

/** The first address of a range, which the Service `kubernetes` gets. */
export function firstServiceIp(range: ServiceRange): string {
  return addressText(range.base + 1);
}

/**
 * A free address; undefined when all are in use. The search starts at a random address in the upper part of the range:
 * the lower part is reserved for Services that request an address.
 */
export function allocateClusterIp(
  range: ServiceRange,
  isInUse: (ip: string) => boolean,
  random: () => number = Math.random,
): string | undefined {
  const reserved = reservedSize(range);
  const upper = range.size - reserved;
  const start = Math.floor(random() * upper);
  for (let step = 0; step < range.size; step++) {
    const place = step < upper ? reserved + ((start + step) % upper) : step - upper;
    const ip = addressText(range.base + 1 + place);
    if (!isInUse(ip)) return ip;
  }
  return undefined;
}

/** Why the requested address cannot be allocated; undefined when it can. */
export function clusterIpProblem(
  range: ServiceRange,
  ip: string,
  isInUse: (ip: string) => boolean,
): string | undefined {
  const address = parseIp(ip);
  const place = address?.bits === 32 ? Number(address.value) - range.base : 0;
  const why = `failed to allocate IP ${ip}:`;
  if (place < 1 || place > range.size) {
    return `${why} the provided network does not match the current range`;
  }
  return isInUse(ip) ? `${why} provided IP is already allocated` : undefined;
}

/** The size of the reserved lower part: a sixteenth of the range, between 16 and 256 addresses; 0 for a small range. */
function reservedSize(range: ServiceRange): number {
  return range.size <= 16 ? 0 : Math.min(256, Math.max(16, Math.floor(range.size / 16)));
}

function addressText(ip: number): string {
  return ipText({ bits: 32, value: BigInt(ip) });
}
