/** IP addresses and ranges (CIDR), read and written as Kubernetes does. Pure: `node:net` is absent in a browser. */

/** An address, or an address of a range. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** An address whose first `prefix` bits name a network. Bits behind the prefix are kept. */
export interface IpRange extends IpAddress {
  readonly prefix: number;
}

/** Options that accept more than the strict grammar. */
export interface IpSyntax {
  /**
   * Octets, groups and prefixes may begin with more zeros, which are read as decimal: `010.0.0.1` is 10.0.0.1. Fields of Kubernetes that are
   * older than its strict rules accept this; other programs read octal numbers. Default: false.
   */
  readonly leadingZeros?: boolean;
}

/** The length of the longest address or range. */
const TEXT_MAX = 64;
const DIGITS = /^\d+$/;
const PLAIN_DIGITS = /^(?:0|[1-9]\d*)$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const ZERO_GROUP = /^0*[0-9a-fA-F]{1,4}$/;

/** Reads an address without a zone; undefined for other text. */
export function parseIp(text: string, syntax: IpSyntax = {}): IpAddress | undefined {
  if (text.length > TEXT_MAX) return undefined;
  if (text.includes(':')) return parseGroups(text, syntax);
  const value = parseOctets(text, syntax);
  return value === undefined ? undefined : { bits: 32, value: BigInt(value) };
}

/** Reads a range such as `10.0.0.0/8`; undefined for other text. */
export function parseCidr(text: string, syntax: IpSyntax = {}): IpRange | undefined {
  const slash = text.length > TEXT_MAX ? -1 : text.indexOf('/');
  const length = text.slice(slash + 1);
  if (slash < 0 || !(syntax.leadingZeros === true ? DIGITS : PLAIN_DIGITS).test(length)) return undefined;
  const address = parseIp(text.slice(0, slash), syntax);
  const prefix = Number(length);
  return address === undefined || prefix > address.bits ? undefined : { ...address, prefix };
}

/** The family of an address, by its name in Kubernetes; undefined if the text is no address. */
export function ipFamily(text: string): 'IPv4' | 'IPv6' | undefined {
  const address = parseIp(text);
  if (address === undefined) return undefined;
  return address.bits === 32 ? 'IPv4' : 'IPv6';
}

/** The canonical text of an address: RFC 5952 for IPv6. */
export function ipText({ bits, value }: IpAddress): string {
  if (bits === 32) {
    const number = Number(value);
    return `${number >>> 24}.${(number >>> 16) & 0xff}.${(number >>> 8) & 0xff}.${number & 0xff}`;
  }
  const groups = parts(value, 8, 16).map((group) => group.toString(16));
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

/** The canonical text of a range; bits behind its prefix are kept. */
export function cidrText(range: IpRange): string {
  return `${ipText(range)}/${range.prefix}`;
}

/** The 4 or 16 bytes of an address, the first one first. */
export function ipBytes({ bits, value }: IpAddress): Uint8Array {
  return Uint8Array.from(parts(value, bits / 8, 8));
}

/** The first address of a range. */
export function firstOfRange({ bits, value, prefix }: IpRange): IpAddress {
  const free = BigInt(bits - prefix);
  return { bits, value: (value >> free) << free };
}

/** Whether the range contains the address. */
export function rangeContains(range: IpRange, address: IpAddress): boolean {
  const free = BigInt(range.bits - range.prefix);
  return range.bits === address.bits && range.value >> free === address.value >> free;
}

/** Whether it is an IPv4 address in IPv6: `::ffff:10.0.0.1`. */
export function isMappedIp({ bits, value }: IpAddress): boolean {
  return bits === 128 && value >> 32n === 0xffffn;
}

/** The IPv4 address that is in an IPv6 address; any other address as it is. */
export function unmappedIp(address: IpAddress): IpAddress {
  return isMappedIp(address) ? { bits: 32, value: address.value & 0xffff_ffffn } : address;
}

function parseOctets(text: string, { leadingZeros = false }: IpSyntax): number | undefined {
  const octets = text.split('.');
  if (octets.length !== 4) return undefined;
  const digits = leadingZeros ? DIGITS : PLAIN_DIGITS;
  let value = 0;
  for (const octet of octets) {
    if (!digits.test(octet) || Number(octet) > 255) return undefined;
    value = value * 256 + Number(octet);
  }
  return value;
}

function parseGroups(text: string, syntax: IpSyntax): IpAddress | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1, syntax));
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 8 ? { bits: 128, value: joined(head, []) } : undefined;
  if (tail === undefined || head.length + tail.length > 7) return undefined;
  return { bits: 128, value: joined(head, tail) };
}

/** The groups of 16 bits of one side of `::`; the last two may be written as octets. */
function groupsOf(half: string, isLast: boolean, syntax: IpSyntax): readonly number[] | undefined {
  const groups: number[] = [];
  const texts = half === '' ? [] : half.split(':');
  for (const [index, text] of texts.entries()) {
    if (isLast && index === texts.length - 1 && text.includes('.')) {
      const octets = parseOctets(text, syntax);
      if (octets === undefined) return undefined;
      groups.push(Math.floor(octets / 65_536), octets % 65_536);
    } else {
      if (!(syntax.leadingZeros === true ? ZERO_GROUP : GROUP).test(text)) return undefined;
      groups.push(Number.parseInt(text, 16));
    }
  }
  return groups;
}

function joined(head: readonly number[], tail: readonly number[]): bigint {
  let value = 0n;
  for (const group of head) value = (value << 16n) | BigInt(group);
  value <<= BigInt(16 * (8 - head.length));
  for (const [index, group] of tail.entries()) value |= BigInt(group) << BigInt(16 * (tail.length - 1 - index));
  return value;
}

/** The value in `count` parts of `size` bits. */
function parts(value: bigint, count: number, size: number): readonly number[] {
  const mask = (1n << BigInt(size)) - 1n;
  return Array.from({ length: count }, (_, index) => Number((value >> BigInt((count - 1 - index) * size)) & mask));
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === '0' ? length + 1 : 0;
    if (length > best.length) best = { start: index - length + 1, length };
  }
  return best;
}
