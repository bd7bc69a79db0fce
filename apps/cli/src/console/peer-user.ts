/** Which user of this machine is at the other end of a connection? Linux tells for connections within the machine. */

import { readFileSync } from 'node:fs';
import { isIPv6, type Socket } from 'node:net';
import { endianness } from 'node:os';

/** Does the other end belong to the user of this process, or to root? Undefined where the system does not tell. */
export function isOwnUser({
  remoteAddress = '',
  remotePort = 0,
}: Pick<Socket, 'remoteAddress' | 'remotePort'>): boolean | undefined {
  const own = process.getuid?.();
  const peer = userOf(remoteAddress, remotePort);
  return own === undefined || peer === undefined ? undefined : peer === own || peer === 0;
}

/** The user of the socket that has this address as its own. */
function userOf(address: string, port: number): number | undefined {
  const name = isIPv6(address) ? 'tcp6' : 'tcp';
  const wanted = `${kernelAddress(address)}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  try {
    // Lines like `0: 0100007F:1950 0100007F:C35A 01 00000000:00000000 00:00000000 00000000  1000 ...`.
    for (const line of readFileSync(`/proc/net/${name}`, 'utf8').split('\n')) {
      const [, local, , , , , , user] = line.trim().split(/\s+/u);
      if (local === wanted && user !== undefined) return Number(user);
    }
  } catch {
    // No Linux.
  }
  return undefined;
}

/** Words of four bytes in the byte order of the machine. */
function kernelAddress(address: string): string {
  const words = isIPv6(address) ? wordsOf(address) : [Buffer.from(address.split('.').map(Number))];
  const ordered = words.map((word) => (endianness() === 'LE' ? Buffer.from(word.toReversed()) : word));
  return Buffer.concat(ordered).toString('hex').toUpperCase();
}

/** Of loopback only: no other IPv6 address belongs to this machine for sure. */
function wordsOf(address: string): readonly Buffer[] {
  const last = address === '::1' ? [0, 0, 0, 1] : [0xff, 0xff, 0xff, 0xff];
  return [Buffer.alloc(4), Buffer.alloc(4), Buffer.alloc(4), Buffer.from(last)];
}
