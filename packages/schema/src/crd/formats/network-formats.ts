/** Addresses as Go reads them. */

import { parseCidr, parseIp } from '@listwatch/api/values';

const ADDRESS_MAX = 64;

/** Four octets, which may begin with zeros. An IPv6 address that ends in octets counts, too. */
export function isIpv4Text(text: string): boolean {
  return text.includes('.') && parseIp(text, { leadingZeros: true }) !== undefined;
}

/** An IPv6 address without a zone. */
export function isIpv6Text(text: string): boolean {
  return text.includes(':') && parseIp(text) !== undefined;
}

/** An address and the length of its prefix; octets may begin with zeros. */
export function isCidrText(text: string): boolean {
  return parseCidr(text, { leadingZeros: true }) !== undefined;
}

/** Six, eight or twenty bytes in hex, parted by colons or dashes, or in groups of four digits by dots. */
export function isMacText(text: string): boolean {
  if (text.length > ADDRESS_MAX) return false;
  for (const separator of [':', '-']) {
    const bytes = text.split(separator);
    if (bytes.length > 1) return isCount(bytes.length) && bytes.every((byte) => /^[0-9a-fA-F]{2}$/.test(byte));
  }
  const groups = text.split('.');
  return isCount(groups.length * 2) && groups.every((group) => /^[0-9a-fA-F]{4}$/.test(group));
}

function isCount(bytes: number): boolean {
  return bytes === 6 || bytes === 8 || bytes === 20;
}
