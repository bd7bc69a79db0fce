/** The headers of a request that go on to another server. */

import { isImpersonationHeader } from '../access/impersonation-headers.ts';
import { subprotocols } from '../access/websocket-token.ts';

const DROPPED: ReadonlySet<string> = new Set([
  // Who the user is, is this server's matter: a Pod that saw the token could use it.
  'authorization',
  'proxy-authorization',
  'cookie',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const SUBPROTOCOL = 'sec-websocket-protocol';

/** Names and values in turn. `upgrade` goes along when the protocol is to change. */
export function forwardedHeaders(
  raw: readonly string[],
  { host, upgrade }: { readonly host: string; readonly upgrade: string | undefined },
): readonly string[] {
  const kept = ['host', host];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    const lower = name.toLowerCase();
    // The pseudo-headers of HTTP/2 stand for the request line.
    if (lower.startsWith(':') || DROPPED.has(lower) || isImpersonationHeader(lower) || lower.startsWith('x-remote-'))
      continue;
    // A token among the subprotocols is one that a browser could send no other way.
    if (lower === SUBPROTOCOL) kept.push(name, subprotocols(value).others.join(', '));
    else kept.push(name, value);
  }
  return upgrade === undefined
    ? [...kept, 'connection', 'close']
    : [...kept, 'connection', 'Upgrade', 'upgrade', upgrade];
}
