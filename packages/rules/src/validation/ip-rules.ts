/** Validates IP addresses and ranges, with the messages of Kubernetes. */

import {
  cidrText,
  firstOfRange,
  type IpAddress,
  type IpRange,
  ipText,
  isMappedIp,
  parseCidr,
  parseIp,
  rangeContains,
} from '@listwatch/api/values';

/** Reads an address of a field that is older than the strict rules: octets may begin with zeros. */
export function legacyIp(text: string): IpAddress | undefined {
  return parseIp(text, { leadingZeros: true });
}

/** Reads a range of such a field. */
export function legacyRange(text: string): IpRange | undefined {
  return parseCidr(text, { leadingZeros: true });
}

/** Is `inner` in `outer`, and smaller? */
export function isStrictlyWithin(inner: IpRange, outer: IpRange): boolean {
  return inner.prefix > outer.prefix && rangeContains(outer, inner);
}

/** Checks an address; older fields accept it in any of its forms. */
export function checkIp(text: string): readonly string[] {
  const address = legacyIp(text);
  if (address === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (parseIp(text) === undefined) return ['must not have leading 0s'];
  return isMappedIp(address) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** Checks an address in its canonical form. */
export function checkCanonicalIp(text: string): readonly string[] {
  const complaints = checkIp(text);
  const address = legacyIp(text);
  if (complaints.length > 0 || address === undefined) return complaints;
  return canonicalForm(text, ipText(address));
}

/** Checks a range; older fields accept it in any of its forms. */
export function checkAddressRange(text: string): readonly string[] {
  const range = legacyRange(text);
  if (range === undefined) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  if (parseCidr(text) === undefined) return ['must not have leading 0s in IP or prefix length'];
  if (isMappedIp(range)) return ['must not have an IPv4-mapped IPv6 address'];
  return firstOfRange(range).value === range.value ? [] : ['must not have bits set beyond the prefix length'];
}

/** Checks a range in its canonical form. */
export function checkCanonicalRange(text: string): readonly string[] {
  const complaints = checkAddressRange(text);
  const range = legacyRange(text);
  if (complaints.length > 0 || range === undefined) return complaints;
  return canonicalForm(text, cidrText(range));
}

function canonicalForm(text: string, canonical: string): readonly string[] {
  return text === canonical ? [] : [`must be in canonical form ("${canonical}")`];
}
