/** Remembers answers for a while: whose token it is, what a webhook has decided. */

import { createHash } from 'node:crypto';
import { monotonicMs } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';

/** Numbers since the start, and what is kept now. */
export interface HashedCacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly size: number;
}

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Answers; those that were used longest ago go first. */
const ENTRIES_MAX = 4096;

/** By the hash of the question: a dump of the memory holds no token that a client could use, and a long question takes no more. */
export class HashedCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #clock: Clock;
  readonly #max: number;
  #hits = 0;
  #misses = 0;

  constructor(clock: Clock, max: number = ENTRIES_MAX) {
    this.#clock = clock;
    this.#max = max;
  }

  get counts(): HashedCacheCounts {
    return { hits: this.#hits, misses: this.#misses, size: this.#entries.size };
  }

  get(question: string): T | undefined {
    const key = keyOf(question);
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry === undefined || entry.until <= monotonicMs(this.#clock)) {
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(question: string, value: T, ttlMs: number): void {
    if (ttlMs <= 0) return;
    const key = keyOf(question);
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: monotonicMs(this.#clock) + ttlMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest);
  }
}

function keyOf(question: string): string {
  return createHash('sha256').update(question).digest('base64');
}
