/** Counts the HTTP/2 streams that a client opens and resets at once, which costs the server more than the client. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

/** A stream that is reset later was worth opening, for example for a watch. It also held one of the client's places. */
const EARLY_MS = 1000;

/**
 * A client may reset all streams that it may have open once a second, and twice as many in one go. No honest client comes
 * near: one that restarts its informers, or whose context is cancelled, resets each request once and waits before the next.
 */
export class EarlyResets {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #most: number;
  #left: number;
  #filledAt: number;

  constructor(clock: Clock, maxConcurrentStreams: number) {
    this.#clock = clock;
    this.#perSecond = maxConcurrentStreams;
    this.#most = 2 * maxConcurrentStreams;
    this.#left = this.#most;
    this.#filledAt = this.time();
  }

  /** Milliseconds, from any start. */
  time(): number {
    return monotonicMs(this.#clock);
  }

  /** A stream that began at `begun` was reset. False: there were too many. */
  take(begun: number): boolean {
    const now = this.time();
    if (now - begun > EARLY_MS) return true;
    this.#left = Math.min(this.#most, this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
    this.#left -= 1;
    return this.#left >= 0;
  }
}
