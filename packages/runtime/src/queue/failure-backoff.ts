/** How long a failed key waits: exponential for each key, and optionally a rate for all of them. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

/** Options of the waits after failures. */
export interface FailureBackoffOptions {
  /** The wait after the first failure; it doubles with each further one. Default: 5 (client-go). */
  readonly initialMs?: number | undefined;
  /** Default: 1 000 000 (client-go). */
  readonly maxMs?: number | undefined;
  /** Retries of all keys together. Default: no limit. */
  readonly rate?: { readonly qps: number; readonly burst: number } | undefined;
}

const INITIAL_MS = 5;
const MAX_MS = 1_000_000;

/** Counts failures. `forget` a key once it has succeeded: it is remembered until then. */
export class FailureBackoff<K> {
  readonly #clock: Clock;
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #failures = new Map<K, number>();
  readonly #rate: { readonly msPerRetry: number; readonly burst: number } | undefined;
  /** The time up to which retries are booked. */
  #bookedUntil = -Infinity;

  constructor(clock: Clock, { initialMs = INITIAL_MS, maxMs = MAX_MS, rate }: FailureBackoffOptions = {}) {
    if (!(initialMs > 0)) throw new RangeError(`backoff.initialMs must be above 0: ${initialMs}`);
    if (!(maxMs >= initialMs)) throw new RangeError(`backoff.maxMs must not be below initialMs: ${maxMs}`);
    if (rate !== undefined && !(rate.qps > 0)) throw new RangeError(`backoff.rate.qps must be above 0: ${rate.qps}`);
    if (rate !== undefined && !(Number.isInteger(rate.burst) && rate.burst > 0)) {
      throw new RangeError(`backoff.rate.burst must be a whole number above 0: ${rate.burst}`);
    }
    this.#clock = clock;
    this.#initialMs = initialMs;
    this.#maxMs = maxMs;
    this.#rate = rate && { msPerRetry: 1000 / rate.qps, burst: rate.burst };
  }

  failures(key: K): number {
    return this.#failures.size === 0 ? 0 : (this.#failures.get(key) ?? 0);
  }

  /** Counts a failure and gives the wait after it: the longer of the key's own and of what the rate demands. */
  fail(key: K): number {
    const failures = this.failures(key);
    this.#failures.set(key, failures + 1);
    // 2 ** 1024 is Infinity, which the limit turns back into a number.
    return Math.max(Math.min(this.#maxMs, this.#initialMs * 2 ** failures), this.#book());
  }

  forget(key: K): void {
    if (this.#failures.size > 0) this.#failures.delete(key);
  }

  #book(): number {
    if (this.#rate === undefined) return 0;
    const now = monotonicMs(this.#clock);
    const { msPerRetry, burst } = this.#rate;
    this.#bookedUntil = Math.max(this.#bookedUntil, now - burst * msPerRetry) + msPerRetry;
    return Math.max(0, this.#bookedUntil - now);
  }
}
