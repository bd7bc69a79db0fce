/** One request and its answer, as the verbs see them, whatever protocol carries them. */

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

/** Header names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** A whole answer. */
export interface BytesResponse {
  readonly type: 'bytes';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/**
 * An answer that is made while it is sent: long lists. Chunks are taken as the socket takes them, so a slow reader holds
 * a snapshot and not a copy. The memory of a chunk may be used again once the next one is asked for. An iterator that
 * throws cuts the connection: the status line has gone already. Chunks near 64 KiB are sent at the least cost.
 */
export interface StreamResponse {
  readonly type: 'stream';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** A watch. `start` is called once the headers have been flushed. */
export interface WatchResponse {
  readonly type: 'watch';
  readonly contentType: string;
  readonly start: (sink: WatchSink) => void;
}

/** An answer of the API. Failures are thrown as `StatusError` and written by the HTTP layer. */
export type ApiResponse = BytesResponse | StreamResponse | WatchResponse;

/**
 * Where a watch writes. It has no queue of its own: when it is full the watch stays where it is. Frames that are the same
 * for many watchers are joined once for all of them, so batches are best handed out to one watcher after the other.
 */
export interface WatchSink {
  /** Frames are joined into a stream of bytes: they may be given in pieces, as long as each `write` ends with a frame. */
  readonly isStream?: boolean | undefined;
  /** Sends whole frames (one event each). False: full, wait for `onReady` before writing again. */
  write(frames: readonly Buffer[]): boolean;
  /** `listener` is called each time the sink has emptied after `write` said false. */
  onReady(listener: () => void): void;
  /** `listener` is called once, when the client has gone or the server ends the connection. */
  onClose(listener: () => void): void;
  /** Ends the stream cleanly, after what has been written. */
  end(): void;
}
