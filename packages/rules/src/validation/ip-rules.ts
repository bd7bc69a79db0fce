/** IP addresses and ranges: how they are read, and what Kubernetes says of wrong ones. */

import { isIPv6 } from 'node:net';

/** An address, or the first address of a range. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A range: its first `prefix` bits are fixed. */
export interface IpRange extends IpAddress {
  readonly prefix: number;
}

/** No text of an address is longer. */
const TEXT_MAX = 64;

/** Reads an address; octets of IPv4 may begin with zeros. Undefined when it is none. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.length > TEXT_MAX) return undefined;
  const octets = text.split('.');
  if (!text.includes(':')) return parseOctets(octets);
  if (text.includes('%') || !isIPv6(text)) return undefined;
  return { bits: 128, value: ipv6Value(text) };
}

/** Reads a range; bits behind its prefix are kept. Undefined when it is none. */
export function parseRange(text: string): IpRange | undefined {
  const [ip = '', length = '', ...rest] = text.length > TEXT_MAX ? [] : text.split('/');
  const address = parseIp(ip);
  if (address === undefined || rest.length > 0 || !/^\d{1,4}$/.test(length)) return undefined;
  const prefix = Number(length);
  return prefix <= address.bits ? { ...address, prefix } : undefined;
}

/** The first address of a range. */
export function firstOf({ bits, value, prefix }: IpRange): bigint {
  const free = BigInt(bits - prefix);
  return (value >> free) << free;
}

/** Is `inner` in `outer`, and smaller? */
export function isStrictlyWithin(inner: IpRange, outer: IpRange): boolean {
  if (inner.bits !== outer.bits || inner.prefix <= outer.prefix) return false;
  return firstOf({ ...inner, prefix: outer.prefix }) === firstOf(outer);
}

/** Checks an address; older fields accept it in any of its forms. */
export function checkIp(text: string): readonly string[] {
  const address = parseIp(text);
  if (address === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (hasLeadingZeros(text)) return ['must not have leading 0s'];
  return isMapped(address) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** Checks an address in its canonical form. */
export function checkCanonicalIp(text: string): readonly string[] {
  const complaints = checkIp(text);
  const address = parseIp(text);
  if (complaints.length > 0 || address === undefined) return complaints;
  return canonicalForm(text, ipText(address));
}

/** Checks a range; older fields accept it in any of its forms. */
export function checkRange(text: string): readonly string[] {
  const range = parseRange(text);
  if (range === undefined) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  if (hasLeadingZeros(text)) return ['must not have leading 0s in IP or prefix length'];
  if (isMapped(range)) return ['must not have an IPv4-mapped IPv6 address'];
  return firstOf(range) === range.value ? [] : ['must not have bits set beyond the prefix length'];
}

/** Checks a range in its canonical form. */
export function checkCanonicalRange(text: string): readonly string[] {
  const complaints = checkRange(text);
  const range = parseRange(text);
  if (complaints.length > 0 || range === undefined) return complaints;
  return canonicalForm(text, `${ipText(range)}/${range.prefix}`);
}

/** The canonical form of an address: RFC 5952 for IPv6. */
export function ipText({ bits, value }: IpAddress): string {
  if (bits === 32) return parts(value, 4, 8).join('.');
  const groups = parts(value, 8, 16).map((group) => group.toString(16));
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function canonicalForm(text: string, canonical: string): readonly string[] {
  return text === canonical ? [] : [`must be in canonical form ("${canonical}")`];
}

function parseOctets(octets: readonly string[]): IpAddress | undefined {
  if (octets.length !== 4 || !octets.every((octet) => /^\d+$/.test(octet) && Number(octet) <= 255)) return undefined;
  // One big integer at the end: a policy may have thousands of addresses.
  return { bits: 32, value: BigInt(octets.reduce((sum, octet) => sum * 256 + Number(octet), 0)) };
}

function ipv6Value(text: string): bigint {
  const [left = '', right] = text.split('::');
  const head = groupsOf(left);
  const tail = right === undefined ? [] : groupsOf(right);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(group), 0n);
}

function groupsOf(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    const address = group.includes('.') ? parseOctets(group.split('.')) : undefined;
    return address === undefined ? [Number.parseInt(group, 16)] : parts(address.value, 2, 16);
  });
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

function hasLeadingZeros(text: string): boolean {
  const [ip = '', length = ''] = text.split('/');
  return /^0\d/.test(length) || (!ip.includes(':') && /(?:^|\.)0\d/.test(ip));
}

function isMapped({ bits, value }: IpAddress): boolean {
  return bits === 128 && value >> 32n === 0xffffn;
}
