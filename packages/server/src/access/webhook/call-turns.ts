/** How many calls there are at one time; others wait for their turn. */

import type { Clock } from '@listwatch/storage';

/** In the order of their coming. */
export class CallTurns {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #waiting = new Set<() => void>();
  #calls = 0;

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /** Resolves with true when it is the turn of this call, which must `end`; with false when that took longer. */
  begin(timeoutMs: number): Promise<boolean> {
    if (this.#calls < this.#max) {
      this.#calls += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const cancel = this.#clock.after(timeoutMs, () => {
        this.#waiting.delete(start);
        resolve(false);
      });
      const start = (): void => {
        cancel();
        resolve(true);
      };
      this.#waiting.add(start);
    });
  }

  /** The next one takes its place. */
  end(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#calls -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
