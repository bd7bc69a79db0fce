/** Which shared values the current worker has: the main thread decides, so that both threads agree without asking. */

import type { SharedValue } from '../contract/large-work.ts';

/** The limits of the shared values in a worker. */
export interface SharedLimits {
  readonly maxValues: number;
  readonly maxBytes: number;
}

/** The shared values that a job's message adds and drops. */
export interface SharedChanges {
  readonly share: readonly SharedValue[];
  readonly forget: readonly string[];
}

/** The values of one worker, least recently used first. A new worker has none. */
export class WorkerInputs {
  readonly #limits: SharedLimits;
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  constructor(limits: SharedLimits) {
    this.#limits = limits;
  }

  /** The changes to send with a job that needs these values. The values stay, even if they alone exceed the limits. */
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
