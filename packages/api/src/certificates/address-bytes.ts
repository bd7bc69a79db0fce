/** IP addresses as certificates hold them: four or sixteen bytes. */

import { ipBytes, parseIp } from '@listwatch/api/values';

/** The bytes of an address in network order. Throws a `TypeError` for a text that is none. */
export function ipAddressBytes(text: string): Uint8Array {
  // `fe80::1%eth0`: the zone has a meaning on this machine only.
  const [, plain = text] = /^([^%]*:[^%]*)%.+$/su.exec(text) ?? [];
  const address = parseIp(plain);
  if (address === undefined) throw new TypeError(`not an IP address: ${JSON.stringify(text)}`);
  return ipBytes(address);
}
