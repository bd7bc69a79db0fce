/** How long a value was within which bounds. */

import { Buckets } from '../../contract/buckets.ts';

/** A value over time: each nanosecond counts, as in Kubernetes. */
export class TimedBuckets {
  readonly buckets: Buckets;
  #value = 0;
  #at: number;

  constructor(bounds: readonly number[], now: number) {
    this.buckets = new Buckets(bounds);
    this.#at = now;
  }

  set(value: number, now: number): void {
    if (now > this.#at) this.buckets.observe(this.#value, (now - this.#at) * 1e6);
    this.#at = now;
    this.#value = value;
  }

  read(now: number): Buckets {
    this.set(this.#value, now);
    return this.buckets;
  }
}
