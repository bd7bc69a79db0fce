/** A request as the verbs see it, whatever protocol carries it. */

/** Who asks. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
}

/** A request that has been authenticated. */
export interface ApiRequest {
  readonly method: string;
  /** The path as it came: percent-encoded, without the query. */
  readonly path: string;
  /** The query as it came, without its question mark; `''` when there is none. */
  readonly query: string;
  readonly user: UserInfo;
  readonly protocol: 'http/1.1' | 'http/2' | 'loopback' | 'websocket';
  /** Aborted when the client has gone, the request has taken too long, or the server ends. */
  readonly signal: AbortSignal;
  /** As the signal's own, and far cheaper when nobody has asked for the signal. */
  throwIfAborted(): void;
  /** The value of a header, its name in lower case; undefined when it was not sent. */
  header(name: string): string | undefined;
  /** The whole body. Throws the 413 `StatusError` when it is larger than the server takes. */
  body(): Promise<Buffer>;
}
