/** Allocates cluster IPs of Services from a range. */

import { firstOfRange, type IpRange, ipText, parseCidr, parseIp } from '@listwatch/api/values';

/** The default range of cluster IPs. */
export const DEFAULT_SERVICE_RANGE = '10.96.0.0/12';

/** The `clusterIP` of a headless Service. */
export const HEADLESS = 'None';

/** An IP family, by its name in Kubernetes. */
export type IpFamily = 'IPv4' | 'IPv6';

/** A range of addresses without its first, which is the network, and for IPv4 without its last, which is broadcast. */
export interface ServiceRange {
  readonly cidr: string;
  readonly family: IpFamily;
  /** The network's own address. */
  readonly base: bigint;
  /** How many addresses can be allocated. Larger ranges of IPv6 give out as many as a number can count. */
  readonly size: number;
}

const SIZE_MAX = 2n ** 53n - 1n;

/** Reads a range such as `10.96.0.0/12` or `fd00::/108`. Throws a TypeError for invalid text or a range without usable addresses. */
export function parseServiceRange(cidr: string): ServiceRange {
  const range = parseCidr(cidr);
  if (range === undefined || firstOfRange(range).value !== range.value || usableSize(range) < 1n) {
    throw new TypeError(`not a range of addresses for Services: ${JSON.stringify(cidr)}`);
  }
  const size = usableSize(range);
  const family = range.bits === 32 ? 'IPv4' : 'IPv6';
  return { cidr, family, base: range.value, size: Number(size > SIZE_MAX ? SIZE_MAX : size) };
}

function usableSize({ bits, prefix }: IpRange): bigint {
  return 2n ** BigInt(bits - prefix) - (bits === 32 ? 2n : 1n);
}

/** The first address of a range, which the Service `kubernetes` gets. */
export function firstServiceIp(range: ServiceRange): string {
  return addressText(range, 0);
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
    const ip = addressText(range, place);
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
  const why = `failed to allocate IP ${ip}:`;
  if (!isWithin(range, ip)) return `${why} the provided network does not match the current range`;
  return isInUse(ip) ? `${why} provided IP is already allocated` : undefined;
}

/** The last address of a range of IPv4 is broadcast. */
function isWithin({ cidr, base }: ServiceRange, ip: string): boolean {
  const address = parseIp(ip);
  const range = parseCidr(cidr);
  if (address === undefined || range === undefined || address.bits !== range.bits) return false;
  const place = address.value - base;
  return place >= 1n && place <= usableSize(range);
}

/** The size of the reserved lower part: a sixteenth of the range, between 16 and 256 addresses; 0 for a small range. */
function reservedSize(range: ServiceRange): number {
  return range.size <= 16 ? 0 : Math.min(256, Math.max(16, Math.floor(range.size / 16)));
}

function addressText({ family, base }: ServiceRange, place: number): string {
  return ipText({ bits: family === 'IPv4' ? 32 : 128, value: base + 1n + BigInt(place) });
}
