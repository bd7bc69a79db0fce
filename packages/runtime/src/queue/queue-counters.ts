/** What a work queue counts. Times are read when somebody asks: an idle queue has no timer. */

import type { Clock } from '@listwatch/api';
import { DurationHistogram, type DurationSum } from './duration-histogram.ts';

/** The numbers of a queue, under the names of client-go's metrics. Times are in milliseconds. */
export interface WorkQueueMetrics {
  /** Keys that are ready. */
  readonly depth: number;
  /** Keys that wait for a time. */
  readonly delayed: number;
  /** Keys in work. */
  readonly processing: number;
  /** Keys that were put in line; an add of one that waits already does not count. */
  readonly adds: number;
  readonly retries: number;
  /** From the first add to the worker: how many keys, and their times added up. */
  readonly queueDuration: DurationSum;
  /** From the worker to `done`. */
  readonly workDuration: DurationSum;
  /** How long the keys in work have been there, added up. Grows while a worker is stuck. */
  readonly unfinishedWorkMs: number;
  readonly longestRunningMs: number;
}

interface Sizes {
  readonly ready: () => number;
  readonly delayed: () => number;
}

/** Follows a queue. */
export class QueueCounters<K> implements WorkQueueMetrics {
  readonly queueDuration: DurationHistogram = new DurationHistogram();
  readonly workDuration: DurationHistogram = new DurationHistogram();
  readonly #clock: Clock;
  readonly #sizes: Sizes;
  readonly #addedAt = new Map<K, number>();
  readonly #takenAt = new Map<K, number>();
  #adds = 0;
  #retries = 0;

  constructor(clock: Clock, sizes: Sizes) {
    this.#clock = clock;
    this.#sizes = sizes;
  }

  get depth(): number {
    return this.#sizes.ready();
  }

  get delayed(): number {
    return this.#sizes.delayed();
  }

  get processing(): number {
    return this.#takenAt.size;
  }

  get adds(): number {
    return this.#adds;
  }

  get retries(): number {
    return this.#retries;
  }

  get unfinishedWorkMs(): number {
    const now = this.#clock.now();
    let total = 0;
    for (const takenAt of this.#takenAt.values()) total += now - takenAt;
    return total;
  }

  get longestRunningMs(): number {
    const now = this.#clock.now();
    let longest = 0;
    for (const takenAt of this.#takenAt.values()) longest = Math.max(longest, now - takenAt);
    return longest;
  }

  added(key: K): void {
    this.#adds++;
    this.#addedAt.set(key, this.#clock.now());
  }

  retried(): void {
    this.#retries++;
  }

  taken(key: K): void {
    const now = this.#clock.now();
    this.queueDuration.observe(now - (this.#addedAt.get(key) ?? now));
    this.#addedAt.delete(key);
    this.#takenAt.set(key, now);
  }

  finished(key: K): void {
    const now = this.#clock.now();
    this.workDuration.observe(now - (this.#takenAt.get(key) ?? now));
    this.#takenAt.delete(key);
  }
}
