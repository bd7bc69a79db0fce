/** Warnings about IP addresses and ranges in a non-canonical form. */

import { cidrText, firstOfRange, ipText, isMappedIp, unmappedIp } from '@listwatch/api/values';
import { legacyIp, legacyRange } from '../../validation/ip-rules.ts';

/** The warning about an address. Validation has already refused text that is no address. */
export function* ipWarnings(text: string, field: string): Generator<string, undefined> {
  const address = legacyIp(text);
  if (address === undefined) return;
  const shown = JSON.stringify(text);
  if (isMappedIp(address) || (address.bits === 32 && ipText(address) !== text)) {
    yield `${field}: non-standard IP address ${shown} is invalid: use "${ipText(unmappedIp(address))}"`;
  } else if (ipText(address) !== text) {
    yield `${field}: IPv6 address ${shown} should be in RFC 5952 canonical format ("${ipText(address)}")`;
  }
}

/** The warning about a range. */
export function* rangeWarnings(text: string, field: string): Generator<string, undefined> {
  const range = legacyRange(text);
  if (range === undefined) return;
  const first = { ...range, ...firstOfRange(range) };
  const shown = JSON.stringify(text);
  const canonical = cidrText(first);
  const isAmbiguous = first.value !== range.value;
  if (isAmbiguous) {
    const choice = `should be "${canonical}" or "${ipText(range)}/${range.bits}"?`;
    yield `${field}: CIDR value ${shown} is ambiguous in this context (${choice})`;
  }
  const own = cidrText(range);
  if (isMappedIp(range) || (range.bits === 32 && own !== text)) {
    yield `${field}: non-standard CIDR value ${shown} is invalid: use "${canonical}"`;
  } else if (!isAmbiguous && own !== text) {
    yield `${field}: IPv6 CIDR value ${shown} should be in RFC 5952 canonical format ("${canonical}")`;
  }
}
