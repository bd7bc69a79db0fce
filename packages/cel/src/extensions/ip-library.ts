/** `ip`, `isIP` and what is known of an address. */

import { quoted } from '../parsing/go-quote.ts';
import {
  AddressProblem,
  addressText,
  isMapped,
  type NetipAddress,
  parseNetip,
  sameAddress,
} from '../parsing/netip-address.ts';
import type { CelLibrary } from '../standard/cel-library.ts';
import { BOOL, type CelType, INT, opaqueType, STRING } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import type { CelOpaque, CelResult, CelValue } from '../values/cel-value.ts';
import { functions, method, plainOverload } from './declare.ts';
import { NOMINAL, type Sized, textCost, textEstimate } from './library-cost.ts';

/** The type of addresses. */
export const IP_TYPE: CelType = opaqueType('net.IP');

const READ = { cost: textCost(0), estimate: textEstimate('argument') };
const READ_TWICE = { cost: textCost(0, 2), estimate: textEstimate('argument', 2) };

/** An IP address. */
export class IpValue implements CelOpaque, Sized {
  readonly opaqueType: CelType = IP_TYPE;
  readonly address: NetipAddress;

  constructor(address: NetipAddress) {
    this.address = address;
  }

  get costSize(): number {
    return this.address.bytes.length;
  }

  equals(other: CelValue): boolean {
    return other instanceof IpValue && sameAddress(this.address, other.address);
  }
}

/** The library of IP addresses. */
export const ipLibrary: CelLibrary = {
  name: 'kubernetes.net.ip',
  types: [IP_TYPE],
  functions: functions({
    ip: [plainOverload('string_to_ip', [STRING], IP_TYPE, toIp, READ)],
    isIP: [plainOverload('is_ip', [STRING], BOOL, (text: string) => !(toIp(text) instanceof CelError), READ)],
    'ip.isCanonical': [plainOverload('ip_is_canonical', [STRING], BOOL, isCanonical, READ_TWICE)],
    string: [plainOverload('ip_to_string', [IP_TYPE], STRING, ({ address }: IpValue) => addressText(address))],
    family: [
      method('ip_family', [IP_TYPE], INT, ({ address }: IpValue) => (address.bytes.length === 4 ? 4 : 6), NOMINAL),
    ],
    isUnspecified: [
      method('ip_is_unspecified', [IP_TYPE], BOOL, ({ address }: IpValue) => isUnspecified(address), NOMINAL),
    ],
    isLoopback: [method('ip_is_loopback', [IP_TYPE], BOOL, ({ address }: IpValue) => isLoopback(address), NOMINAL)],
    isLinkLocalMulticast: [
      method(
        'ip_is_link_local_multicast',
        [IP_TYPE],
        BOOL,
        ({ address }: IpValue) => isLocalMulticast(address),
        NOMINAL,
      ),
    ],
    isLinkLocalUnicast: [
      method('ip_is_link_local_unicast', [IP_TYPE], BOOL, ({ address }: IpValue) => isLocalUnicast(address), NOMINAL),
    ],
    isGlobalUnicast: [
      method('ip_is_global_unicast', [IP_TYPE], BOOL, ({ address }: IpValue) => isGlobalUnicast(address), NOMINAL),
    ],
  }),
};

/** Reads an address. Zones and IPv4 addresses within IPv6 are refused. */
export function toIp(text: string): CelError | IpValue {
  const address = parseNetip(text);
  if (address instanceof AddressProblem) {
    return new CelError(`IP Address ${quoted(text)} parse error during conversion from string: ${address.message}`);
  }
  if (address.zone !== '') return new CelError(`IP address ${quoted(text)} with zone value is not allowed`);
  if (isMapped(address)) return new CelError(`IPv4-mapped IPv6 address ${quoted(text)} is not allowed`);
  return new IpValue(address);
}

function isCanonical(text: string): CelResult {
  const ip = toIp(text);
  return ip instanceof CelError ? ip : addressText(ip.address) === text;
}

function isUnspecified({ bytes }: NetipAddress): boolean {
  return bytes.every((byte) => byte === 0);
}

function isLoopback({ bytes }: NetipAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isMulticast({ bytes: [first = 0, ...rest] }: NetipAddress): boolean {
  return rest.length === 3 ? first >> 4 === 0xe : first === 0xff;
}

function isLocalMulticast({ bytes: [first = 0, second = 0, third, ...rest] }: NetipAddress): boolean {
  if (rest.length === 1) return first === 224 && second === 0 && third === 0;
  return first === 0xff && (second & 0x0f) === 2;
}

function isLocalUnicast({ bytes: [first = 0, second = 0, ...rest] }: NetipAddress): boolean {
  if (rest.length === 2) return first === 169 && second === 254;
  return first === 0xfe && (second & 0xc0) === 0x80;
}

function isGlobalUnicast(address: NetipAddress): boolean {
  const isBroadcast = address.bytes.length === 4 && address.bytes.every((byte) => byte === 255);
  return !(
    isBroadcast ||
    isUnspecified(address) ||
    isLoopback(address) ||
    isMulticast(address) ||
    isLocalUnicast(address)
  );
}
