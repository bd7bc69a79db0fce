/** A value that changes, and those who follow it. */

import type { AbortOptions } from '@listwatch/api';

/** A follower that is slow sees the latest value, not each one. */
export class LatestValue<V> {
  #value: V;
  #turn = 0;
  #ended = false;
  readonly #waiting = new Set<() => void>();

  constructor(value: V) {
    this.#value = value;
  }

  get value(): V {
    return this.#value;
  }

  set(value: V): void {
    this.#value = value;
    this.#turn += 1;
    this.#wake();
  }

  /** Followers end after the value that is there. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The value now, and then each time that it has changed. */
  async *follow({ signal }: AbortOptions = {}): AsyncGenerator<V, undefined> {
    let seen = -1;
    for (;;) {
      signal?.throwIfAborted();
      if (seen !== this.#turn) {
        seen = this.#turn;
        yield this.#value;
      } else if (this.#ended) {
        return undefined;
      } else {
        await this.#next(signal);
      }
    }
  }

  async #next(signal: AbortSignal | undefined): Promise<void> {
    const wake: { up?: () => void } = {};
    const onWake = (): void => wake.up?.();
    this.#waiting.add(onWake);
    signal?.addEventListener('abort', onWake, { once: true });
    try {
      await new Promise<void>((resolve) => {
        wake.up = resolve;
      });
    } finally {
      this.#waiting.delete(onWake);
      signal?.removeEventListener('abort', onWake);
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
