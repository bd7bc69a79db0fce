/** Back-pressure for several streams that share a connection. */

import type { MessageSocket } from '../transport/message-socket.ts';
import type { IncomingBytes } from './byte-stream.ts';
import { StreamError } from './stream-error.ts';

/** Above it the sender is held back. */
const HIGH_WATER_BYTES = 256 * 1024;

/**
 * Holds the sender back while the streams together have enough to read. When the reader of one waits, bytes are let in although
 * another is full: they share the connection, and a program that reads stdout before stderr would wait for ever. `maxBytes` is the
 * limit of that.
 */
export class UnreadBytes {
  readonly #socket: Pick<MessageSocket, 'canPause' | 'pause' | 'resume'>;
  readonly #streams: Readonly<Record<string, IncomingBytes>>;
  readonly #maxBytes: number;
  #isPaused = false;

  constructor(
    socket: Pick<MessageSocket, 'canPause' | 'pause' | 'resume'>,
    streams: Readonly<Record<string, IncomingBytes>>,
    maxBytes: number,
  ) {
    this.#socket = socket;
    this.#streams = streams;
    this.#maxBytes = maxBytes;
  }

  /** Looks again. The error when there is too much, undefined otherwise. */
  look(): StreamError | undefined {
    let unread = 0;
    let isStarving = false;
    for (const stream of Object.values(this.#streams)) {
      unread += stream.unread;
      isStarving ||= stream.isStarving;
    }
    const isPaused = unread >= HIGH_WATER_BYTES && !isStarving;
    // A sender that is held back ends by itself. What comes all the same was on its way: little in Node, where a TLS socket reads no
    // more; all that Deno had read ahead, and to fail for that would make every slow reader fail there.
    const isHeldBack = isPaused && this.#socket.canPause;
    if (unread > this.#maxBytes && !isHeldBack) return this.#tooMuch();
    if (isPaused !== this.#isPaused) {
      this.#isPaused = isPaused;
      if (isPaused) this.#socket.pause();
      else this.#socket.resume();
    }
    return undefined;
  }

  #tooMuch(): StreamError {
    const [name, stream] = Object.entries(this.#streams).toSorted(([, a], [, b]) => b.unread - a.unread)[0] ?? [];
    const message = `${stream?.unread} bytes of ${name} were not read; at most ${this.#maxBytes} are kept. Read it, or do not ask for it`;
    return new StreamError('UNREAD', message);
  }
}
