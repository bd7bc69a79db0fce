/** A rate with some slack. */

import { type AbortOptions, type Clock, sleep } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

export interface RateLimit {
  /** Requests a second, in the long run. */
  readonly qps: number;
  /** Requests at once, after a pause. */
  readonly burst: number;
}

/** Tokens are given out in the order in which they were asked for. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #msPerToken: number;
  readonly #burst: number;
  /** When the bucket was, or will be, full of debts paid: the time that the last token given out belongs to. */
  #paidUntil: number;

  constructor({ qps, burst }: RateLimit, clock: Clock) {
    if (!(qps > 0)) throw new RangeError(`qps is no rate: ${qps}`);
    if (!Number.isInteger(burst) || burst < 1) throw new RangeError(`burst is no count: ${burst}`);
    this.#clock = clock;
    this.#msPerToken = 1000 / qps;
    this.#burst = burst;
    this.#paidUntil = Number.NEGATIVE_INFINITY;
  }

  /** Resolves when the next request may go. Whoever stops waiting gives the token back. */
  async take({ signal }: AbortOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    const now = monotonicMs(this.#clock);
    const full = now - this.#burst * this.#msPerToken;
    this.#paidUntil = Math.max(this.#paidUntil, full) + this.#msPerToken;
    const waitMs = this.#paidUntil - now;
    if (waitMs <= 0) return;
    try {
      await sleep(this.#clock, waitMs, signal);
    } catch (error) {
      this.#paidUntil -= this.#msPerToken;
      throw error;
    }
  }
}
