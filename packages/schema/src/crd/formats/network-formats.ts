/** Addresses as Go reads them. */

const ADDRESS_MAX = 64;

/** Four octets, which may begin with zeros. An IPv6 address that ends in octets counts, too. */
export function isIpv4Text(text: string): boolean {
  return text.includes('.') && isIpText(text, true);
}

/** An IPv6 address without a zone. */
export function isIpv6Text(text: string): boolean {
  return text.includes(':') && isIpText(text, false);
}

/** An address and the length of its prefix; octets may begin with zeros. */
export function isCidrText(text: string): boolean {
  if (text.length > ADDRESS_MAX) return false;
  const slash = text.indexOf('/');
  const length = text.slice(slash + 1);
  if (slash < 0 || !/^\d{1,3}$/.test(length)) return false;
  const address = text.slice(0, slash);
  return isIpText(address, true) && Number(length) <= (address.includes(':') ? 128 : 32);
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

function isIpText(text: string, zerosAllowed: boolean): boolean {
  if (text.length > ADDRESS_MAX) return false;
  return text.includes(':') ? isIpv6(text, zerosAllowed) : isOctets(text, zerosAllowed);
}

function isOctets(text: string, zerosAllowed: boolean): boolean {
  const octets = text.split('.');
  const pattern = zerosAllowed ? /^\d{1,8}$/ : /^(0|[1-9]\d{0,2})$/;
  return octets.length === 4 && octets.every((octet) => pattern.test(octet) && Number(octet) <= 255);
}

function isIpv6(text: string, zerosAllowed: boolean): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const all = groups.flat();
  const last = all.at(-1) ?? '';
  const endsInOctets = last.includes('.');
  const count = all.length + (endsInOctets ? 1 : 0);
  const hex = endsInOctets ? all.slice(0, -1) : all;
  if (endsInOctets && ((groups.at(-1)?.length ?? 0) === 0 || !isOctets(last, zerosAllowed))) return false;
  if (!hex.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? count <= 7 : count === 8;
}
