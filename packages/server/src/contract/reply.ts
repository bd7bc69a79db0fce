/** The answering end of one request, whichever protocol carries it. */
import type { Writable } from 'node:stream';
import type { ResponseHeaders } from './api-response.ts';
import type { WatchSink } from './watch-sink.ts';

/** What stands before the body. */
export interface ReplyHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** Takes one answer: `send`, `open` or `watch`, once. */
export interface Reply {
  /** The status that was sent; 0 before that. Once it has gone the answer can only be cut. */
  readonly status: number;
  /** The answer is out, or nobody is there to take it. */
  readonly closed: boolean;
  /** Sends a whole answer. */
  send(head: ReplyHead, body: Buffer): void;
  /** Sends the head; the body goes to the stream, which the caller ends. */
  open(head: ReplyHead): Writable;
  /**
   * Sends the head at once and then gives `start` the sink; resolves after that. A client that cannot have a watch gets a
   * refusal. Rejects with what `start` throws.
   */
  watch(head: ReplyHead, start: (sink: WatchSink) => void): Promise<void>;
  /** Ends a watch cleanly from the server's side; for every other answer it does nothing. */
  endWatch(): void;
  /** Breaks the answer off, so that the client does not take it for whole. */
  cut(): void;
  /** `listener` is called once, when `closed` becomes true. */
  onClose(listener: () => void): void;
}

/** Must the answer go without a body, and so without its length? */
export function isBodyless(status: number): boolean {
  return status === 204 || status === 304;
}

/** How long a client may take to read the end of a watch, or to stop sending a body that nobody reads. */
export const LINGER_MS = 5000;
