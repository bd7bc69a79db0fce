/** The body of an answer that stays in the process: written by a reply, pulled by one reader. */
import { Writable } from 'node:stream';

/** What may lie here unread before the writer is told to wait; as much as a socket takes. */
const UNREAD_MAX_BYTES = 64 * 1024;

type BodyState =
  | { readonly type: 'open' }
  | { readonly type: 'ended' }
  /** `told`: the reader has had the error; from then on there is nothing more. */
  | { readonly type: 'failed'; readonly error: unknown; readonly told: boolean }
  /** The reader has gone. */
  | { readonly type: 'left' };

interface Offer {
  readonly chunk: Uint8Array;
  /** Tells the writer that the memory is its own again. */
  readonly giveBack: () => void;
}

interface Reader {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const DONE = { done: true, value: undefined } as const;

/** Not a generator: its `return` would wait behind a `next` that waits for the next event, maybe for hours. */
export class LoopbackBody implements AsyncIterableIterator<Uint8Array, undefined> {
  /** The server's end. A write is done when the reader has asked for the chunk after it. */
  readonly writable: Writable;
  readonly #onOver: () => void;
  #state: BodyState = { type: 'open' };
  #offer: Offer | undefined;
  #held: Offer | undefined;
  #reader: Reader | undefined;
  #iterated = false;

  /** `onOver` is called once: the reader has had all of it, has gone, or the body has failed. */
  constructor(onOver: () => void) {
    this.#onOver = onOver;
    this.writable = new Writable({
      highWaterMark: UNREAD_MAX_BYTES,
      write: (chunk: Buffer, _encoding, done) => {
        this.#offer = { chunk, giveBack: () => done() };
        this.#meet();
      },
      final: (done) => {
        done();
        this.#finish({ type: 'ended' });
      },
    });
    // A writer that is late by a moment writes to a body that nobody reads; that must not end the process.
    this.writable.on('error', () => {});
  }

  /** Breaks it off: what has not been read is lost, and the reader meets `error`. */
  fail(error: unknown): void {
    this.#finish({ type: 'failed', error, told: false });
  }

  [Symbol.asyncIterator](): this {
    if (this.#iterated) throw new TypeError('this body has a reader already');
    this.#iterated = true;
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#reader !== undefined) return Promise.reject(new TypeError('this body is being read already'));
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      const held = this.#held;
      this.#held = undefined;
      // May offer the next chunk before it returns.
      held?.giveBack();
      this.#meet();
    });
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#finish({ type: 'left' });
    return DONE;
  }

  #finish(state: BodyState): void {
    if (this.#state.type !== 'open') return;
    this.#state = state;
    if (state.type !== 'ended') {
      this.#offer = undefined;
      this.#held = undefined;
      this.writable.destroy();
    }
    this.#meet();
    this.#onOver();
  }

  /** Gives the reader that waits what there is for it. */
  #meet(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    const offer = this.#offer;
    if (offer === undefined && this.#state.type === 'open') return;
    this.#reader = undefined;
    if (offer !== undefined) {
      this.#offer = undefined;
      this.#held = offer;
      reader.resolve({ done: false, value: offer.chunk });
    } else if (this.#state.type === 'failed' && !this.#state.told) {
      this.#state = { ...this.#state, told: true };
      reader.reject(this.#state.error);
    } else reader.resolve(DONE);
  }
}
