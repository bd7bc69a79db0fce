/** Bytes that we send on one channel of a connection. */

import { StreamError } from './stream-error.ts';

/** What can be sent: text goes as UTF-8. */
export type ByteSource = Uint8Array | string | AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/** Writes to the other side, no faster than it reads. */
export interface ByteSink {
  /** Resolves when more can be written. Rejects when the connection is over. */
  write(chunk: Uint8Array | string): Promise<void>;
  /** Says that nothing more comes. Rejects with `NO_HALF_CLOSE` when the server has no way to be told. */
  end(): Promise<void>;
}

export interface OutgoingBytesParts {
  readonly name: string;
  /** Sends a piece; resolves when more can be sent. */
  readonly send: (piece: Uint8Array) => Promise<void>;
  /** Says that it has ended; undefined when the protocol cannot. */
  readonly end: (() => Promise<void>) | undefined;
  /** Why nothing can be sent any more; undefined while it can. */
  readonly over: () => unknown;
}

/** As kubelets do: a proxy between may limit the size of a message. */
const PIECE_BYTES = 32 * 1024;

export class OutgoingBytes implements ByteSink {
  readonly #parts: OutgoingBytesParts;
  readonly #encoder = new TextEncoder();
  /** Writes go out in their order, one at a time. */
  #turn: Promise<void> = Promise.resolve();
  #hasEnded = false;

  constructor(parts: OutgoingBytesParts) {
    this.#parts = parts;
  }

  write(chunk: Uint8Array | string): Promise<void> {
    if (this.#hasEnded) return Promise.reject(new TypeError(`${this.#parts.name} has ended`));
    const bytes = typeof chunk === 'string' ? this.#encoder.encode(chunk) : chunk;
    return this.#inTurn(async () => {
      for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
        this.#check();
        await this.#parts.send(bytes.subarray(from, from + PIECE_BYTES));
      }
      this.#check();
    });
  }

  end(): Promise<void> {
    if (this.#hasEnded) return this.#turn;
    this.#hasEnded = true;
    return this.#inTurn(async () => {
      const { end, name } = this.#parts;
      this.#check();
      if (end !== undefined) return end();
      throw new StreamError(
        'NO_HALF_CLOSE',
        `the server cannot be told that ${name} has ended: it speaks v4.channel.k8s.io, and v5 is needed for that`,
      );
    });
  }

  /** Writes everything that a source has, then ends. */
  async pipe(source: ByteSource): Promise<void> {
    if (typeof source === 'string' || source instanceof Uint8Array) await this.write(source);
    else for await (const chunk of source) await this.write(chunk);
    await this.end();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    // Whoever waits for this one hears of it; the next one goes its own way.
    this.#turn = done.catch(() => {});
    return done;
  }

  #check(): void {
    const reason = this.#parts.over();
    if (reason !== undefined) throw reason;
  }
}
