/** The bearer token that browsers send as a WebSocket subprotocol. */

import { unauthorized } from '@listwatch/api';

const BEARER_PREFIX = 'base64url.bearer.authorization.k8s.io.';

/** The bearer token among the subprotocols, if there is one. Throws the 401 `StatusError` when it cannot be read. */
export function websocketToken(header: string | undefined): string | undefined {
  const { tokens, others } = subprotocols(header);
  const [encoded, ...more] = tokens;
  if (encoded === undefined || encoded === '') return undefined;
  // Something must be left to answer with: the token is never repeated.
  if (more.length > 0 || others.length === 0 || !/^[\w-]+$/u.test(encoded)) throw unauthorized();
  const bytes = Buffer.from(encoded, 'base64url');
  const token = bytes.toString('utf8');
  if (!Buffer.from(token, 'utf8').equals(bytes)) throw unauthorized();
  return token;
}

/** The subprotocols of a handshake: tokens without their prefix, and the others. */
export function subprotocols(header = ''): { readonly tokens: readonly string[]; readonly others: readonly string[] } {
  const all = header.split(',').map((protocol) => protocol.trim());
  return {
    tokens: all.filter((name) => name.startsWith(BEARER_PREFIX)).map((name) => name.slice(BEARER_PREFIX.length)),
    others: all.filter((name) => name !== '' && !name.startsWith(BEARER_PREFIX)),
  };
}
