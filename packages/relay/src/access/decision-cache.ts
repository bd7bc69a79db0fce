/** Keeps decisions for a short time, and asks once for all who want the same one. */

import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

/** A decision, and how long it may be kept. */
export interface Decided<V> {
  readonly value: V;
  readonly keepMs: number;
}

/** Options of a {@link DecisionCache}. */
export interface DecisionCacheOptions {
  readonly clock: Clock;
  /** Decisions that are kept at most. */
  readonly maxKept: number;
  /** Questions that are asked at one time; with more `ask` rejects. */
  readonly maxAsked: number;
  /** Made when too many are asked. */
  readonly tooMany: () => Error;
}

/** Numbers for metrics. */
export interface DecisionCounts {
  hits: number;
  asked: number;
  failed: number;
  refused: number;
}

interface Kept<V> {
  readonly value: V;
  readonly until: number;
}

/** By a keyed hash of the question: a dump of the memory has no token in it, and nobody can compute the key of a guess. */
export class DecisionCache<V> {
  readonly counts: DecisionCounts = { hits: 0, asked: 0, failed: 0, refused: 0 };
  readonly #options: DecisionCacheOptions;
  readonly #secret = randomBytes(32);
  #kept = new Map<string, Kept<V>>();
  /** Of this epoch: after `drop` nobody joins a question that was asked before. */
  #asked = new Map<string, Promise<V>>();
  #running = 0;

  constructor(options: DecisionCacheOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Questions that wait for their answer. */
  get running(): number {
    return this.#running;
  }

  /** A decision that is kept, or the answer of `ask`. A failure is not kept: everybody who shares the question gets it. */
  of(question: string, ask: () => Promise<Decided<V>>): Promise<V> | V {
    const key = createHmac('sha256', this.#secret).update(question).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > monotonicMs(this.#options.clock)) {
      this.counts.hits += 1;
      return kept.value;
    }
    this.#kept.delete(key);
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    if (this.#running >= this.#options.maxAsked) {
      this.counts.refused += 1;
      return Promise.reject(this.#options.tooMany());
    }
    const asking = this.#ask(key, ask);
    this.#asked.set(key, asking);
    return asking;
  }

  /** Forgets every decision, also those that are being asked for: whoever asked before may have been told of the past. */
  drop(): void {
    this.#kept = new Map();
    this.#asked = new Map();
  }

  async #ask(key: string, ask: () => Promise<Decided<V>>): Promise<V> {
    const { clock, maxKept } = this.#options;
    const kept = this.#kept;
    const asked = this.#asked;
    // It counts from the moment of the question: the answer may be as old as that.
    const begun = monotonicMs(clock);
    this.#running += 1;
    this.counts.asked += 1;
    try {
      const { value, keepMs } = await ask();
      if (kept === this.#kept && keepMs > 0) {
        kept.set(key, { value, until: begun + keepMs });
        const [oldest] = kept.keys();
        if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
      }
      return value;
    } catch (error) {
      this.counts.failed += 1;
      throw error;
    } finally {
      this.#running -= 1;
      asked.delete(key);
    }
  }
}
