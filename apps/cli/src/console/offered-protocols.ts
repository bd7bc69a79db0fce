/** The `Accept` of a WebSocket handshake: browsers cannot set the header, so the page offers it as a subprotocol. */

const ACCEPT_PROTOCOL = 'base64url.accept.listwatch.';
/** The name that is repeated to the page. */
export const WATCH_PROTOCOL = 'watch.listwatch';

/** The value; plain JSON when none is offered. Undefined for one that cannot be a header. */
export function offeredAccept(protocols: string | undefined): string | undefined {
  const offered = (protocols ?? '')
    .split(',')
    .map((name) => name.trim())
    .find((name) => name.startsWith(ACCEPT_PROTOCOL));
  if (offered === undefined) return 'application/json';
  const value = Buffer.from(offered.slice(ACCEPT_PROTOCOL.length), 'base64url').toString('utf8');
  return /^[\x20-\x7e]{1,512}$/u.test(value) ? value : undefined;
}
