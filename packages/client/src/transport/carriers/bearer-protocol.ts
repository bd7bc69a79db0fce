/** Credentials among the subprotocols of a WebSocket: browsers set no headers on a handshake. */

/** Where API servers look for a token. They never answer with it: another subprotocol must be offered beside it. */
const BEARER_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** The subprotocol of an `authorization` header; undefined for one that is no bearer token. */
export function bearerProtocol(authorization: string): string | undefined {
  const token = /^bearer +(.+)$/iu.exec(authorization)?.[1];
  return token === undefined ? undefined : `${BEARER_PROTOCOL}${base64url(token)}`;
}

/** Not `Buffer`: browsers have none. */
export function base64url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');
}
