/** Which shared values the current worker has: the main thread decides, so that both threads agree without asking. */

import type { SharedValue } from './compute-job.ts';

/** What a worker keeps. */
export interface SharedLimits {
  readonly maxValues: number;
  readonly maxBytes: number;
}

/** What a job's message says about shared values. */
export interface SharedChanges {
  readonly share: readonly SharedValue[];
  readonly forget: readonly string[];
}

/** The values of one worker, least recently used first. A new worker has none. */
export class SharedValues {
  readonly #limits: SharedLimits;
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  constructor(limits: SharedLimits) {
    this.#limits = limits;
  }

  /** What to send with a job that needs these values. They stay, even if they alone exceed the limits. */
  require(values: readonly SharedValue[]): SharedChanges {
    const share = values.filter(({ key }) => !this.#sizes.has(key));
    for (const { key, bytes } of values) {
      this.#remove(key);
      this.#sizes.set(key, bytes.length);
      this.#bytes += bytes.length;
    }
    const forget: string[] = [];
    for (const key of this.#sizes.keys()) {
      const isWithin = this.#sizes.size <= this.#limits.maxValues && this.#bytes <= this.#limits.maxBytes;
      if (isWithin || values.some((value) => value.key === key)) break;
      this.#remove(key);
      forget.push(key);
    }
    return { share, forget };
  }

  #remove(key: string): void {
    this.#bytes -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
  }
}
