/** The headers of a passed request and of its answer: all of them, but for those of a connection. */

import { HOP_HEADERS, headerPairs } from '@listwatch/server/internal';

/** Headers by which a front proxy names a user: whoever sends them could otherwise be anybody, where our leg is taken for such a proxy. */
const IDENTITY_PREFIX = 'x-remote-';
const FORWARDED_FOR = 'x-forwarded-for';
/** The Host is that of the upstream; `100 Continue` was said here; `HTTP2-Settings` is about our leg. */
const OWN_REQUEST_HEADERS: ReadonlySet<string> = new Set(['expect', 'host', 'http2-settings', FORWARDED_FOR]);

/** What is said to the upstream beside the headers of the client. */
export interface PassedRequestHead {
  readonly host: string;
  /** The address of the client; undefined: there is none. */
  readonly peer: string | undefined;
  /** The protocol that the client changes to. */
  readonly upgrade: string | undefined;
  /** Is there a body whose length the client has not told? */
  readonly isChunked: boolean;
  /** Do headers of a front proxy pass? */
  readonly keepsIdentity: boolean;
  /** More names and values in turn. Headers of the client with these names are dropped. */
  readonly connection: readonly string[];
}

/** Names and values in turn. */
export function passedRequestHeaders(raw: readonly string[], head: PassedRequestHead): readonly string[] {
  const { host, peer, upgrade, isChunked, keepsIdentity, connection } = head;
  const dropped = new Set([...named(raw), ...[...headerPairs(connection)].map(([name]) => name.toLowerCase())]);
  const kept: string[] = ['Host', host];
  const cookies: string[] = [];
  const forwardedFor: string[] = [];
  for (const [name, value] of headerPairs(raw)) {
    const lower = name.toLowerCase();
    if (lower === FORWARDED_FOR) forwardedFor.push(value);
    if (lower.startsWith(':') || OWN_REQUEST_HEADERS.has(lower)) continue;
    if (lower.startsWith(IDENTITY_PREFIX) && !keepsIdentity) continue;
    if (HOP_HEADERS.has(lower) || dropped.has(lower)) continue;
    // HTTP/2 may send a cookie in crumbs, which are one header in HTTP/1.1.
    if (lower === 'cookie') cookies.push(value);
    else kept.push(name, value);
  }
  if (cookies.length > 0) kept.push('Cookie', cookies.join('; '));
  if (peer !== undefined) forwardedFor.push(peer);
  if (forwardedFor.length > 0) kept.push('X-Forwarded-For', forwardedFor.join(', '));
  if (isChunked) kept.push('Transfer-Encoding', 'chunked');
  if (upgrade !== undefined) kept.push('Connection', 'Upgrade', 'Upgrade', upgrade);
  return [...kept, ...connection];
}

/** Names and values in turn, as the upstream wrote them. `Trailer` stays: it announces what stands behind the body. */
export function passedAnswerHeaders(raw: readonly string[]): readonly string[] {
  const dropped = named(raw);
  return [...headerPairs(raw)]
    .filter(([name]) => {
      const lower = name.toLowerCase();
      return lower === 'trailer' || !(HOP_HEADERS.has(lower) || dropped.has(lower));
    })
    .flat();
}

/** The headers that `Connection` names. Credentials are never of the connection: without them a request would be somebody else's. */
function named(raw: readonly string[]): ReadonlySet<string> {
  const names = [...headerPairs(raw)]
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((option) => option.trim().toLowerCase()));
  return new Set(names.filter((name) => !isLasting(name)));
}

/** Headers that change what a request may do or what an answer is: a client or upstream may not have them dropped on the way. */
function isLasting(name: string): boolean {
  return name === 'authorization' || name.startsWith('impersonate-') || name.startsWith('content-');
}
