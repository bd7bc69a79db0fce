/** A request as the verbs see it, whatever protocol carries it. */

import type { Route } from './route.ts';

/** An authenticated user. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  /** What else the authenticator knows, by keys such as `example.com/scopes`. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A request that has been authenticated and authorized. */
export interface ApiRequest {
  /** What it asks for. */
  readonly route: Route;
  readonly method: string;
  /** The path as sent: percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without its question mark; `''` when there is none. `route.query` has it parsed. */
  readonly query: string;
  readonly user: UserInfo;
  readonly protocol: 'http/1.1' | 'http/2' | 'loopback' | 'websocket';
  /** Aborted when the client has gone, the request has taken too long, or the server ends. */
  readonly signal: AbortSignal;
  /** `signal.throwIfAborted()`, without creating the signal when nobody has used it yet. */
  throwIfAborted(): void;
  /** The value of a header, its name in lower case; undefined when it was not sent, and for `impersonate-*`. */
  header(name: string): string | undefined;
  /** The whole body. Throws the 413 `StatusError` when it is larger than the server takes. */
  body(): Promise<Buffer>;
}
