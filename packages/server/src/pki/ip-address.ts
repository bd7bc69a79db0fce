/** IP addresses as certificates hold them: four or sixteen bytes. */

import { isIPv4, isIPv6 } from 'node:net';

/** The bytes of an address in network order. Throws a `TypeError` for a text that is none. */
export function ipAddressBytes(text: string): Buffer {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  if (!isIPv6(text)) throw new TypeError(`not an IP address: ${JSON.stringify(text)}`);
  return ipv6Bytes(text);
}

function ipv6Bytes(text: string): Buffer {
  const [head = '', tail] = withoutDots(withoutZone(text)).split('::');
  const first = groups(head);
  const last = groups(tail ?? '');
  // `::` stands for as many zeros as are missing from eight groups.
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return Buffer.from([...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]));
}

function groups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** `fe80::1%eth0`: the zone has a meaning on this machine only. */
function withoutZone(text: string): string {
  return text.split('%')[0] ?? text;
}

/** `::ffff:10.0.0.1` writes its last two groups as IPv4. */
function withoutDots(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/u, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
}
