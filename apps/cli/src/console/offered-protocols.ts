/** The subprotocols of a WebSocket handshake. Browsers cannot set headers of one, so the page offers their values as names. */

const ACCEPT_PROTOCOL = 'base64url.accept.listwatch.';
/** The form of Kubernetes. */
const KEY_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';
/** The name that is repeated to the page: never one with a key in it. */
export const WATCH_PROTOCOL = 'watch.listwatch';

/** The `Accept`; plain JSON when none is offered. Undefined for one that cannot be a header. */
export function offeredAccept(protocols: string | undefined): string | undefined {
  const value = offered(protocols, ACCEPT_PROTOCOL);
  if (value === undefined) return 'application/json';
  return /^[\x20-\x7e]{1,512}$/u.test(value) ? value : undefined;
}

/** The key of the page; undefined when none is offered. */
export function offeredKey(protocols: string | undefined): string | undefined {
  return offered(protocols, KEY_PROTOCOL);
}

function offered(protocols: string | undefined, prefix: string): string | undefined {
  const names = (protocols ?? '').split(',').map((name) => name.trim());
  const found = names.find((name) => name.startsWith(prefix));
  return found === undefined ? undefined : Buffer.from(found.slice(prefix.length), 'base64url').toString('utf8');
}
