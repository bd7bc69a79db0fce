/** The answer to one request, whichever protocol carries it. */
import type { Writable } from 'node:stream';
import type { TunnelResponse } from './api-response.ts';
import type { WatchSink } from './watch-sink.ts';

/** The status and the headers of an answer. */
export interface ReplyHead {
  readonly status: number;
  /** Names in lower case. Several values are sent as several headers. */
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** The head of another server's answer. */
export interface PassedHead {
  readonly status: number;
  /** HTTP/2 has none. */
  readonly statusText: string;
  /** Names and values in turn: repeated ones are not joined. None of the connection's. */
  readonly headers: readonly string[];
}

/** The rest of another server's answer. */
export interface PassedAnswer {
  readonly body: Writable;
  /** Names and values in turn; call it before the body is ended. Only an answer that has announced them may have some. */
  addTrailers(trailers: readonly string[]): void;
}

/** Takes one answer: `send`, `open`, `pass` or `watch`, once. */
export interface Reply {
  /** The status that was sent; 0 before that. Once the status is sent, the answer can only be cut. */
  readonly status: number;
  /** The client has taken the answer, or has gone. */
  readonly closed: boolean;
  /** Sends a whole answer. */
  send(head: ReplyHead, body: Buffer): void;
  /** Sends the head; the caller writes the body to the stream and ends it. */
  open(head: ReplyHead): Writable;
  /** Sends the head of another server's answer as it is: nothing is added. Absent: use `open`. */
  pass?(head: PassedHead): PassedAnswer;
  /** Sends an interim answer (1xx) of another server. Absent: the client gets none. */
  passInterim?(head: PassedHead): void;
  /**
   * Cuts the answer unless the client takes `bytes` within its read deadline; replaces the last call. `send` does this
   * itself, the writer of a body that `open` began does it for every chunk.
   */
  expectRead(bytes: number): void;
  /**
   * Sends the head at once and then gives `start` the sink; resolves after that. A client that cannot have a watch gets a
   * refusal. Rejects with what `start` throws.
   */
  watch(head: ReplyHead, start: (sink: WatchSink) => void): Promise<void>;
  /** Joins the connection with another one. Absent: it cannot change its protocol. */
  tunnel?(response: TunnelResponse): void;
  /** The client sends too much: its next request is read later, up to a second from now. Absent: it is not. */
  slowDown?(): void;
  /** Ends a watch cleanly from the server's side, and cuts a tunnel; for every other answer it does nothing. */
  endWatch(): void;
  /** Breaks the answer off, so that the client does not take it for whole. */
  cut(): void;
  /** `listener` is called once, when `closed` becomes true. */
  onClose(listener: () => void): void;
}

/** Names and values in turn, as pairs. */
export function* headerPairs(flat: readonly string[]): Generator<[name: string, value: string], undefined> {
  for (let index = 0; index + 1 < flat.length; index += 2) yield [flat[index] ?? '', flat[index + 1] ?? ''];
  return undefined;
}

/** Must the answer go without a body, and so without its length? */
export function isBodyless(status: number): boolean {
  return status === 204 || status === 304;
}

/** How long a client may take to read the end of a watch, or to stop sending a body that nobody reads. */
export const LINGER_MS = 5000;
