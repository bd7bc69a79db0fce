/** What a work queue counts. Times are read when somebody asks: an idle queue has no timer. */

import type { Clock } from '@listwatch/api';
import { DurationHistogram, type DurationSum } from './duration-histogram.ts';
import type { QueuedKey } from './queued-key.ts';
import { TurnClock } from './turn-clock.ts';

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

/** The queue, as its counters see it. */
export interface CountedQueue<K> {
  readonly ready: () => number;
  readonly delayed: () => number;
  readonly inWork: () => Iterable<QueuedKey<K>>;
}

/** Follows a queue. */
export class QueueCounters<K> implements WorkQueueMetrics {
  readonly queueDuration: DurationHistogram = new DurationHistogram();
  readonly workDuration: DurationHistogram = new DurationHistogram();
  readonly #clock: TurnClock;
  readonly #queue: CountedQueue<K>;
  #adds = 0;
  #retries = 0;
  #processing = 0;

  constructor(clock: Clock, queue: CountedQueue<K>) {
    this.#clock = new TurnClock(clock);
    this.#queue = queue;
  }

  get depth(): number {
    return this.#queue.ready();
  }

  get delayed(): number {
    return this.#queue.delayed();
  }

  get processing(): number {
    return this.#processing;
  }

  get adds(): number {
    return this.#adds;
  }

  get retries(): number {
    return this.#retries;
  }

  get unfinishedWorkMs(): number {
    const now = this.#clock.ms();
    let total = 0;
    for (const { sinceMs } of this.#queue.inWork()) total += now - sinceMs;
    return total;
  }

  get longestRunningMs(): number {
    const now = this.#clock.ms();
    let longest = 0;
    for (const { sinceMs } of this.#queue.inWork()) longest = Math.max(longest, now - sinceMs);
    return longest;
  }

  added(queued: QueuedKey<K>): void {
    this.#adds++;
    queued.sinceMs = this.#clock.ms();
  }

  retried(): void {
    this.#retries++;
  }

  taken(queued: QueuedKey<K>): void {
    const now = this.#clock.ms();
    this.#processing++;
    this.queueDuration.observe(now - queued.sinceMs);
    queued.sinceMs = now;
  }

  finished({ sinceMs }: QueuedKey<K>): void {
    this.#processing--;
    this.workDuration.observe(this.#clock.ms() - sinceMs);
  }
}
