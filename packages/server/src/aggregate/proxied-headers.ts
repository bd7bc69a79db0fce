/** The headers of a proxied request and of its answer. */

import type { IncomingMessage } from 'node:http';
import { isImpersonationHeader } from '../access/impersonation-headers.ts';
import { subprotocols } from '../access/websocket-token.ts';
import type { UserInfo } from '../contract/api-request.ts';
import { HOP_HEADERS } from '../forward/hop-headers.ts';

const DROPPED: ReadonlySet<string> = new Set([
  ...HOP_HEADERS,
  // The backend could use the credentials of the user elsewhere.
  'authorization',
  'audit-id',
  // Set here: a client could name it in `Connection`, and its body would have no end.
  'content-length',
  'host',
  'http2-settings',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-uri',
]);
/** Set by this server on every answer. */
const OWN_ANSWER_HEADERS: ReadonlySet<string> = new Set([
  'audit-id',
  'cache-control',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
]);
const SUBPROTOCOL = 'sec-websocket-protocol';

/** What is said to the backend beside the headers of the client. */
export interface ProxiedHead {
  readonly user: UserInfo;
  readonly auditId: string;
  /** The address of the client; undefined: there is none. */
  readonly peer: string | undefined;
  readonly path: string;
  /** The address of the backend. */
  readonly host: string;
  /** The protocol that the client changes to. */
  readonly upgrade: string | undefined;
  /** The length of the body, where the client has told it. */
  readonly contentLength: string | undefined;
  /** Is a header, in lower case, one by which backends are told who the user is, beside `X-Remote-*`? */
  readonly namesUser: (header: string) => boolean;
}

/** Names and values in turn, without `Host`. */
export function proxiedHeaders(raw: readonly string[], head: ProxiedHead): readonly string[] {
  const kept: string[] = [];
  const forwardedFor: string[] = [];
  const hops = new Set<string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() !== 'connection') continue;
    for (const name of hopNames(raw[index + 1])) hops.add(name);
  }
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]];
    const lower = name.toLowerCase();
    if (lower === 'x-forwarded-for') forwardedFor.push(value);
    const isOfConnection = DROPPED.has(lower) || hops.has(lower);
    if (isOfConnection || lower.startsWith(':') || isImpersonationHeader(lower)) continue;
    // Backends believe this server, who the user is: nobody else may tell them through it.
    if (lower.startsWith('x-remote-') || head.namesUser(lower)) continue;
    // A token among the subprotocols is one that a browser could send no other way.
    if (lower === SUBPROTOCOL) kept.push(name, subprotocols(value).others.join(', '));
    else kept.push(name, value);
  }
  const { user, auditId, peer, path, host, upgrade, contentLength } = head;
  if (peer !== undefined) forwardedFor.push(peer);
  if (contentLength !== undefined) kept.push('Content-Length', contentLength);
  kept.push('Audit-Id', auditId);
  if (forwardedFor.length > 0) kept.push('X-Forwarded-For', forwardedFor.join(', '));
  if (upgrade === undefined) {
    kept.push('X-Forwarded-Host', host, 'X-Forwarded-Proto', 'https', 'X-Forwarded-Uri', path);
  } else kept.push('Connection', 'Upgrade', 'Upgrade', upgrade);
  return [...kept, ...userHeaders(user)];
}

/** The headers that name a user to a backend. */
export function userHeaders({ name, uid = '', groups, extra = {} }: UserInfo): readonly string[] {
  return [
    'X-Remote-User',
    headerValue(name),
    ...(uid === '' ? [] : ['X-Remote-Uid', headerValue(uid)]),
    ...groups.flatMap((group) => ['X-Remote-Group', headerValue(group)]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.flatMap((value) => [`X-Remote-Extra-${headerKey(key)}`, headerValue(value)]),
    ),
  ];
}

/** The bytes of UTF-8, as Go sends them: Node would refuse other characters than those of Latin-1. */
function headerValue(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Percent-encodes what a header name cannot have, and the percent sign. Names have no case, so it is written in lower case. */
function headerKey(key: string): string {
  return Buffer.from(key.toLowerCase())
    .toString('latin1')
    .replaceAll(/[^\w!#$&'*+.^`|~-]/gu, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The headers of the answer that are passed on. Cookies are told apart: several cannot be joined to one header. */
export function answerHeaders({ headers }: IncomingMessage): {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[] | undefined;
} {
  const kept: Record<string, string> = {};
  const hops = hopNames(headers.connection);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_HEADERS.has(name) || OWN_ANSWER_HEADERS.has(name)) continue;
    if (name === 'set-cookie' || hops.has(name)) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { headers: kept, cookies: headers['set-cookie'] };
}

/** Other headers that `Connection` says to be about the connection alone. */
function hopNames(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}
