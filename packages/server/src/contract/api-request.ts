/** A request as the verbs see it, whatever protocol carries it. */

import type { Readable } from 'node:stream';
import type { AuditNotes } from './audit.ts';
import type { Route } from './route.ts';
import type { WorkFlow } from './work-flow.ts';

/** An authenticated user. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  /** More attributes from the authenticator, by keys such as `example.com/scopes`. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The origin of a request that the server forwards. */
export interface RequestSource {
  /** The name of the request in audit logs. */
  readonly auditId: string;
  /** The address of the client; undefined: there is none. */
  readonly peer: string | undefined;
  /** The unread body, without a size limit. Use `stream` or `body`, not both. */
  readonly stream: Readable;
  /** Stops counting the request towards the in-flight limit. The deadline stays. */
  leavePlace(): void;
}

/** A request that has been authenticated and authorized. */
export interface ApiRequest {
  /** The parsed method, path and query. */
  readonly route: Route;
  readonly method: string;
  /** The path as sent: percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without its question mark; `''` when there is none. `route.query` has it parsed. */
  readonly query: string;
  readonly user: UserInfo;
  readonly protocol: 'http/1.1' | 'http/2' | 'loopback' | 'websocket';
  /** Takes notes for the audit log; undefined when the request is not recorded. */
  readonly audit?: AuditNotes | undefined;
  /** Aborted when the client has gone, the request has taken too long, or the server ends. */
  readonly signal: AbortSignal;
  /** The deadline of the request, in monotonic time of the server's clock. Undefined: none. */
  readonly deadline?: number | undefined;
  /** `signal.throwIfAborted()`, without creating the signal when nobody has used it yet. */
  throwIfAborted(): void;
  /** The value of a header, its name in lower case; undefined when it was not sent, and for credentials. */
  header(name: string): string | undefined;
  /** The names and values of all headers in turn, as sent. */
  readonly rawHeaders: readonly string[];
  /** The protocol that the client wants to change to; undefined when it does not, or its connection cannot. */
  readonly upgrade: string | undefined;
  /** Lifts the deadline and the in-flight limit for this request: another server answers it. */
  liftLimits(): void;
  /** Asks flow control for a turn of the event loop; undefined: go on at once. Absent: turns are not counted. */
  turn?(): Promise<void> | undefined;
  /** Whose work it is. Absent: flow control does not know it. */
  readonly flow?: WorkFlow | undefined;
  /**
   * Call before a commit under a key of a kind that so many watch: flow control charges the sending of its event to the flow of this
   * request.
   */
  writes?(key: string, watchers: number): void;
  /** The connection, for proxies; undefined: there is none. */
  readonly source?: RequestSource | undefined;
  /** The whole body. Throws the 413 `StatusError` when it is larger than the server takes. */
  body(): Promise<Buffer>;
}
