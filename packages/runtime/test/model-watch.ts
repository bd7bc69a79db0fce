/** One watch on the model server. */

import type { WatchEvent } from '@listwatch/api';
import { TransportError, type WatchQuery } from '@listwatch/client';
import type { Thing } from './model-object.ts';

type End = { readonly type: 'end' } | { readonly type: 'throw'; readonly error: unknown };

/** What the server has sent and the reader has not read, and how it ends. */
export class ModelWatch {
  readonly query: Omit<WatchQuery<never>, 'decode'>;
  opened = false;
  /** Nothing comes through any more, and nobody says so. */
  silent = false;
  closed = false;
  /** Gives back what the server holds for it. */
  onClosed: (() => void) | undefined;
  readonly #sent: WatchEvent<Thing>[] = [];
  readonly #start: (watch: ModelWatch) => void;
  readonly #onClose: (watch: ModelWatch) => void;
  #end: End | undefined;
  #wake: (() => void) | undefined;
  #started = false;

  constructor(
    query: Omit<WatchQuery<never>, 'decode'>,
    start: (watch: ModelWatch) => void,
    onClose: (watch: ModelWatch) => void,
  ) {
    this.query = query;
    this.#start = start;
    this.#onClose = onClose;
  }

  send(event: WatchEvent<Thing>): void {
    if (this.silent || this.#end !== undefined) return;
    this.#sent.push(event);
    this.#wake?.();
  }

  /** The server ends it, in order. */
  end(): void {
    this.#finish({ type: 'end' });
  }

  /** It breaks; what was sent before still arrives. */
  break(error: unknown = new TransportError('CLOSED', 'the connection was cut')): void {
    this.#finish({ type: 'throw', error });
  }

  #finish(end: End): void {
    this.#end ??= end;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<Thing>, undefined> {
    const { signal } = this.query;
    const wake = (): void => this.#wake?.();
    signal?.addEventListener('abort', wake);
    try {
      signal?.throwIfAborted();
      if (!this.#started) {
        this.#started = true;
        this.#start(this);
      }
      for (;;) {
        signal?.throwIfAborted();
        const event = this.#sent.shift();
        if (event !== undefined) {
          yield event;
          if (event.type === 'ERROR') return undefined;
        } else if (this.#end !== undefined) {
          if (this.#end.type === 'throw') throw this.#end.error;
          return undefined;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      signal?.removeEventListener('abort', wake);
      this.closed = true;
      this.#onClose(this);
      this.onClosed?.();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
  }
}
