/** Allocates cluster IPs of Services from a range. */

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
  const [address = '', bits = ''] = cidr.split('/');
  const base = ipNumber(address);
  const length = /^\d+$/.test(bits) ? Number(bits) : Number.NaN;
  const count = 2 ** (32 - length);
  if (base === undefined || !(length >= 0 && length <= 30) || base % count !== 0) {
    throw new TypeError(`not a range of IPv4 addresses: ${JSON.stringify(cidr)}`);
  }
  return { cidr, base, size: count - 2 };
}

/** The first address of a range: the one of the service `kubernetes`. */
export function firstServiceIp(range: ServiceRange): string {
  return ipText(range.base + 1);
}

/**
 * A free address; undefined when all are in use. The search starts at a random place in the upper part of the range: the
 * lower part is kept for Services that name their address.
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
    const ip = ipText(range.base + 1 + place);
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
  const place = (ipNumber(ip) ?? -1) - range.base;
  const why = `failed to allocate IP ${ip}:`;
  if (place < 1 || place > range.size) {
    return `${why} the provided network does not match the current range`;
  }
  return isInUse(ip) ? `${why} provided IP is already allocated` : undefined;
}

/** The number of an IPv4 address; undefined for other text. */
export function ipNumber(text: string): number | undefined {
  const parts = text.split('.');
  const legal = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return legal ? parts.reduce((sum, part) => sum * 256 + Number(part), 0) : undefined;
}

/** A sixteenth of the range, but 16 to 256 addresses; none of a small range. */
function reservedSize(range: ServiceRange): number {
  return range.size <= 16 ? 0 : Math.min(256, Math.max(16, Math.floor(range.size / 16)));
}

function ipText(ip: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(ip / 2 ** shift) % 256).join('.');
}
