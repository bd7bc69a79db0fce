/** Feeds the cache of a version whose objects a webhook converts: each change once, however many watch. */

import type { Entry, StorageEvent } from '@listwatch/storage';
import type { StoredForm } from '../stored/stored-form.ts';
import type { CacheGeneration, GenerationProgress } from './cache-generation.ts';
import type { FeedTarget } from './feed-run.ts';

/** A webhook that is slower than the changes ends the generation: it is loaded again later. */
const MAX_WAITING = 10_000;

/** How far a generation has come that gets its changes later than the feed. */
export class LateProgress implements GenerationProgress {
  readonly #feed: GenerationProgress;
  #waiting: (() => void)[] = [];
  #isLate = false;
  #revision: bigint;

  constructor(feed: GenerationProgress, revision: bigint) {
    this.#feed = feed;
    this.#revision = revision;
  }

  get revision(): bigint {
    return this.#isLate ? this.#revision : this.#feed.revision;
  }

  async reached(revision: bigint, signal?: AbortSignal): Promise<boolean> {
    if (!(await this.#feed.reached(revision, signal))) return false;
    // The request ends by its own deadline at the latest; the generation, when the webhook fails.
    while (this.#isLate && this.#revision < revision) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return true;
  }

  /** Changes wait to be converted; all up to `revision` have been applied. */
  late(revision: bigint): void {
    this.#isLate = true;
    this.#revision = revision;
    this.#wake();
  }

  /** Nothing waits. */
  caughtUp(): void {
    this.#isLate = false;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Converts changes in their order, as many at once as have come. */
export class ConvertingTarget implements FeedTarget {
  readonly #generation: CacheGeneration;
  readonly #progress: LateProgress;
  readonly #convert: NonNullable<StoredForm['convert']>;
  readonly #onFailure: (error: unknown) => void;
  #queue: StorageEvent[] = [];
  #isRunning = false;

  constructor(parts: {
    readonly generation: CacheGeneration;
    readonly progress: LateProgress;
    readonly convert: NonNullable<StoredForm['convert']>;
    readonly onFailure: (error: unknown) => void;
  }) {
    this.#generation = parts.generation;
    this.#progress = parts.progress;
    this.#convert = parts.convert;
    this.#onFailure = parts.onFailure;
  }

  apply(event: StorageEvent): void {
    if (this.#queue.length >= MAX_WAITING) return this.#onFailure(new Error('the conversion webhook is too slow'));
    this.#progress.late(this.#generation.revision);
    this.#queue.push(event);
    if (!this.#isRunning) void this.#run();
  }

  settle(): void {
    // Each revision is settled when its changes have been converted.
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#queue.length > 0 && !this.#generation.isEnded) {
        const events = this.#queue;
        this.#queue = [];
        const puts = events.flatMap((event): readonly Entry[] =>
          event.type === 'put' ? [{ key: event.key, value: event.value, modRevision: event.revision }] : [],
        );
        const converted = (await this.#convert(puts)).values();
        for (const event of events) {
          const own = event.type === 'put' ? { ...event, value: converted.next().value?.value ?? event.value } : event;
          this.#generation.apply(own);
          this.#generation.settle(own.revision);
        }
        this.#progress.late(this.#generation.revision);
      }
      this.#progress.caughtUp();
    } catch (error) {
      this.#onFailure(error);
      this.#progress.caughtUp();
    } finally {
      this.#isRunning = false;
    }
  }
}
