/** Warnings about addresses that have another form than the usual one. */

import { firstOf, type IpAddress, ipText, parseIp, parseRange } from '../../validation/ip-rules.ts';

/** About an address; nothing about what is none: validation has refused it. */
export function* ipWarnings(text: string, field: string): Generator<string, undefined> {
  const address = parseIp(text);
  if (address === undefined) return;
  const shown = JSON.stringify(text);
  if (isMapped(address) || (address.bits === 32 && ipText(address) !== text)) {
    yield `${field}: non-standard IP address ${shown} is invalid: use "${plainText(address)}"`;
  } else if (ipText(address) !== text) {
    yield `${field}: IPv6 address ${shown} should be in RFC 5952 canonical format ("${ipText(address)}")`;
  }
}

/** About a range. */
export function* rangeWarnings(text: string, field: string): Generator<string, undefined> {
  const range = parseRange(text);
  if (range === undefined) return;
  const first = { ...range, value: firstOf(range) };
  const shown = JSON.stringify(text);
  const canonical = `${ipText(first)}/${range.prefix}`;
  const isAmbiguous = first.value !== range.value;
  if (isAmbiguous) {
    const choice = `should be "${canonical}" or "${ipText(range)}/${range.bits}"?`;
    yield `${field}: CIDR value ${shown} is ambiguous in this context (${choice})`;
  }
  const own = `${ipText(range)}/${range.prefix}`;
  if (isMapped(range) || (range.bits === 32 && own !== text)) {
    yield `${field}: non-standard CIDR value ${shown} is invalid: use "${canonical}"`;
  } else if (!isAmbiguous && own !== text) {
    yield `${field}: IPv6 CIDR value ${shown} should be in RFC 5952 canonical format ("${canonical}")`;
  }
}

function isMapped({ bits, value }: IpAddress): boolean {
  return bits === 128 && value >> 32n === 0xffffn;
}

/** An IPv4 address in IPv6 is shown as what it is. */
function plainText(address: IpAddress): string {
  return ipText(isMapped(address) ? { bits: 32, value: address.value & 0xffff_ffffn } : address);
}
