/** The contract of a gRPC connection: one HTTP/2 connection to one server, replaced by its owner when it ends. */

/** Sent with a call. Names are lower-case. */
export type CallMetadata = Readonly<Record<string, string>>;

/** The bounds of a call. */
export interface UnaryOptions {
  /** The call fails with DEADLINE_EXCEEDED after so many milliseconds. The server is told, so that it gives up as well. */
  readonly timeoutMs: number;
  /** Cancels the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * `connecting`: calls must wait. `ready`: calls can begin. `draining`: the server or the owner closes it; the calls that
 * run go on, new ones are refused. `closed`: nothing runs any more.
 */
export type ConnectionState = 'connecting' | 'ready' | 'draining' | 'closed';

/** Messages in both directions, still encoded. For one reader. */
export interface GrpcStream {
  /** Sends a message. Harmless after the end. */
  send(message: Buffer): void;
  /** A message that has arrived and was not read yet; undefined when there is none. */
  take(): Buffer | undefined;
  /** The next message; undefined when the stream is over. */
  next(): Promise<Buffer | undefined>;
  /** Why it ended; undefined before, and when the server ended it with OK or the reader cancelled it. */
  readonly error: Error | undefined;
  /** Ends it now, without the messages that were not read. A reader that waits gets undefined. */
  cancel(): void;
}

/** One connection. It begins to connect when it is made, and never comes back once it is closed. */
export interface GrpcConnection {
  readonly state: ConnectionState;
  /** Resolves when calls can begin. Rejects with an unsent `GrpcError` when the connection ends first or time is up. */
  ready(timeoutMs: number): Promise<void>;
  /** One request, one answer. Rejects with a `GrpcError` or the signal's reason. */
  unary(path: string, request: Buffer, metadata: CallMetadata, options: UnaryOptions): Promise<Buffer>;
  /** Opens a stream. One that cannot be opened is over at once, with its error. */
  stream(path: string, metadata: CallMetadata): GrpcStream;
  /** Refuses new calls; those that run go on to their end, and the connection closes behind the last one. Streams end with it. */
  close(): void;
}
