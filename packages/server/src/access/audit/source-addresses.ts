/** The addresses that a request came from. */

import { isIP } from 'node:net';
import type { IncomingRequest } from '../../contract/incoming-request.ts';

/** The addresses that proxies name, unchanged, then the address of the connection, which cannot be forged. */
export function sourceAddresses(incoming: Pick<IncomingRequest, 'header' | 'peer'>): readonly string[] {
  const forwarded = incoming.header('x-forwarded-for');
  const real = incoming.header('x-real-ip');
  const peer = addressOf(incoming.peer?.());
  // Most requests come straight.
  if (forwarded === undefined && real === undefined) return peer === undefined ? [] : [peer];
  const addresses = (forwarded ?? '').split(',').flatMap((part) => addressOf(part.trim()) ?? []);
  const own = addressOf(real);
  if (own !== undefined && !addresses.includes(own)) addresses.push(own);
  if (peer !== undefined && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses;
}

/** An IPv4 address is written as such, also when it reached a socket of IPv6. */
function addressOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const address = text.startsWith('::ffff:') && text.includes('.') ? text.slice('::ffff:'.length) : text;
  return isIP(address) === 0 ? undefined : address;
}
