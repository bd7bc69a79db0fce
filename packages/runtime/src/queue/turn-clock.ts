/** Time for counters: cheap, and as exact as a turn of the event loop. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

/**
 * Reads the clock once for everything that runs without a wait. Reading it costs as much as the rest of an operation of the
 * queue, and an informer adds its keys in batches.
 */
export class TurnClock {
  readonly #clock: Clock;
  readonly #expire = (): void => {
    this.#isFresh = false;
  };
  #now = 0;
  #isFresh = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Monotonic milliseconds. */
  ms(): number {
    if (this.#isFresh) return this.#now;
    this.#isFresh = true;
    queueMicrotask(this.#expire);
    this.#now = monotonicMs(this.#clock);
    return this.#now;
  }
}
