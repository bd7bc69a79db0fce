/**
 * IP addresses and prefixes as Go's `net/netip` reads and prints them, with its messages. This is not the `IpAddress` of api/values:
 * the package imports no other, and CEL shows zones and messages that no field of Kubernetes has.
 */
import { quoted } from './go-quote.ts';

/** An address of 4 or 16 bytes. */
export interface NetipAddress {
  readonly bytes: readonly number[];
  /** The zone of `fe80::1%eth0`; empty without one. */
  readonly zone: string;
}

/** An address and the number of bits that name the network. */
export interface IpPrefix {
  readonly address: NetipAddress;
  readonly bits: number;
}

/** What is wrong with a text. */
export class AddressProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Reads an address. */
export function parseNetip(text: string): NetipAddress | AddressProblem {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') {
    const fields = parseFields(text, text);
    return fields instanceof AddressProblem ? fields : { bytes: fields, zone: '' };
  }
  if (first === ':') return parseSixteen(text);
  return problem(text, first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

/** Reads an address with a prefix length, such as `10.0.0.0/8`. */
export function parsePrefix(text: string): IpPrefix | AddressProblem {
  const fail = (message: string): AddressProblem =>
    new AddressProblem(`netip.ParsePrefix(${quoted(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fail("no '/'");
  const address = parseNetip(text.slice(0, slash));
  if (address instanceof AddressProblem) return fail(address.message);
  if (address.zone !== '') return fail('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d+)$/.test(digits) || digits.length > 18) return fail(`bad bits after slash: ${quoted(digits)}`);
  if (Number(digits) > address.bytes.length * 8) return fail('prefix length out of range');
  return { address, bits: Number(digits) };
}

/** The canonical text of an address. */
export function addressText({ bytes, zone }: NetipAddress): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups: number[] = [];
  for (let index = 0; index < 16; index += 2) groups.push(((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0));
  const [start, end] = longestZeros(groups);
  const hex = (from: number, to: number): string =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  const text = start < 0 ? hex(0, 8) : `${hex(0, start)}::${hex(end, 8)}`;
  return zone === '' ? text : `${text}%${zone}`;
}

/** The canonical text of a prefix. */
export function prefixText({ address, bits }: IpPrefix): string {
  return `${addressText(address)}/${bits}`;
}

/** The prefix with zeros behind its bits. */
export function maskedPrefix({ address, bits }: IpPrefix): IpPrefix {
  const bytes = address.bytes.map((byte, index) => byte & maskOf(bits - index * 8));
  return { address: { bytes, zone: '' }, bits };
}

/** Is the address in the prefix? */
export function prefixContains(prefix: IpPrefix, address: NetipAddress): boolean {
  return prefix.address.bytes.length === address.bytes.length && sameBits(prefix.address, address, prefix.bits);
}

/** Have they an address in common? */
export function prefixesOverlap(left: IpPrefix, right: IpPrefix): boolean {
  if (left.address.bytes.length !== right.address.bytes.length) return false;
  return sameBits(left.address, right.address, Math.min(left.bits, right.bits));
}

/** Is it an IPv4 address within IPv6, such as `::ffff:1.2.3.4`? */
export function isMapped({ bytes }: NetipAddress): boolean {
  return bytes.length === 16 && bytes.every((byte, index) => index >= 12 || byte === (index >= 10 ? 0xff : 0));
}

/** Are they the same address? */
export function sameAddress(left: NetipAddress, right: NetipAddress): boolean {
  return (
    left.bytes.length === right.bytes.length &&
    left.zone === right.zone &&
    left.bytes.every((byte, index) => byte === right.bytes[index])
  );
}

function sameBits(left: NetipAddress, right: NetipAddress, bits: number): boolean {
  return left.bytes.every((byte, index) => ((byte ^ (right.bytes[index] ?? 0)) & maskOf(bits - index * 8)) === 0);
}

function maskOf(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 8 ? 0xff : (0xff00 >> bits) & 0xff;
}

function longestZeros(groups: readonly number[]): readonly [number, number] {
  let [start, end] = [-1, -1];
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (to < 8 && groups[to] === 0) to++;
    if (to - from >= 2 && to - from > end - start) [start, end] = [from, to];
  }
  return [start, end];
}

function problem(text: string, message: string, at = ''): AddressProblem {
  return new AddressProblem(`ParseAddr(${quoted(text)}): ${message}${at === '' ? '' : ` (at ${quoted(at)})`}`);
}

/** The four numbers of an IPv4 address; `whole` is the text that messages name. */
function parseFields(text: string, whole: string): number[] | AddressProblem {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 48 && code <= 57) {
      if (digits === 1 && value === 0) return problem(whole, 'IPv4 field has octet with leading zero');
      value = value * 10 + code - 48;
      digits++;
      if (value > 255) return problem(whole, 'IPv4 field has value >255');
    } else if (code === 46) {
      if (index === 0 || index === text.length - 1 || text[index - 1] === '.') {
        return problem(whole, 'IPv4 field must have at least one digit', text.slice(index));
      }
      if (fields.length === 3) return problem(whole, 'IPv4 address too long');
      fields.push(value);
      [value, digits] = [0, 0];
    } else {
      return problem(whole, 'unexpected character', text.slice(index));
    }
  }
  if (fields.length < 3) return problem(whole, 'IPv4 address too short');
  return [...fields, value];
}

function parseSixteen(whole: string): NetipAddress | AddressProblem {
  const percent = whole.indexOf('%');
  const zone = percent < 0 ? '' : whole.slice(percent + 1);
  if (percent >= 0 && zone === '') return problem(whole, 'zone must be a non-empty string');
  let rest = percent < 0 ? whole : whole.slice(0, percent);
  const bytes: number[] = [];
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (bytes.length < 16 && rest !== '') {
    const group = /^[0-9a-fA-F]{0,5}/.exec(rest)?.[0] ?? '';
    if (group.length > 4) return problem(whole, 'each group must have 4 or less digits', rest);
    if (group === '') return problem(whole, 'each colon-separated field must have at least one digit', rest);
    if (rest[group.length] === '.') return withFields(whole, rest, bytes, ellipsis, zone);
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 0xff);
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (rest[0] !== ':') return problem(whole, 'unexpected character, want colon', rest);
    if (rest.length === 1) return problem(whole, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] === ':') {
      if (ellipsis >= 0) return problem(whole, 'multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') return problem(whole, 'trailing garbage after address', rest);
  return expanded(whole, bytes, ellipsis, zone);
}

/** An IPv4 address at the end of an IPv6 one. */
function withFields(
  whole: string,
  rest: string,
  bytes: number[],
  ellipsis: number,
  zone: string,
): NetipAddress | AddressProblem {
  if (ellipsis < 0 && bytes.length !== 12) {
    return problem(whole, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (bytes.length > 12) {
    return problem(whole, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  }
  const fields = parseFields(rest, whole);
  if (fields instanceof AddressProblem) return fields;
  return expanded(whole, [...bytes, ...fields], ellipsis, zone);
}

function expanded(whole: string, bytes: number[], ellipsis: number, zone: string): NetipAddress | AddressProblem {
  if (bytes.length < 16) {
    if (ellipsis < 0) return problem(whole, 'address string too short');
    bytes.splice(ellipsis, 0, ...Array.from({ length: 16 - bytes.length }, () => 0));
  } else if (ellipsis >= 0) {
    return problem(whole, 'the :: must expand to at least one field of zeros');
  }
  return { bytes, zone };
}
