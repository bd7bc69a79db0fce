/** Follows the store and keeps every cache up to date: one watch for all kinds. */

import { type Clock, type Entry, isStorageError, type StorageEngine, type StorageWatch } from '@listwatch/storage';
import { REGISTRY_ROOT } from '../kinds/resource-registry.ts';
import type { CacheGeneration } from './cache-generation.ts';
import { FeedProgress } from './feed-progress.ts';
import { writeProgressMarker } from './progress-marker.ts';
import type { ResourceCache } from './resource-cache.ts';

/** How long a failed run waits before the next attempt, doubled each time, and jittered so that servers spread out. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

/** Options of a {@link StorageFeed}. */
export interface StorageFeedOptions {
  readonly engine: StorageEngine;
  readonly caches: readonly ResourceCache[];
  readonly clock: Clock;
  /** Told why a run of the feed ended; once while attempts keep failing for the same reason. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** One run: the generations that it loaded and follows. */
interface FeedRun {
  readonly revision: bigint;
  readonly generations: readonly CacheGeneration[];
  /** By the folder of the kind; two where a kind is served under two groups. */
  readonly byRoot: ReadonlyMap<string, readonly CacheGeneration[]>;
}

/**
 * Loads all kinds at one revision and follows from there. One watch carries every kind, so a revision that has arrived
 * has arrived for all of them, and a quiet kind is as fresh as a busy one. When a run fails, the generations of all
 * caches end and the next run loads new ones.
 */
export class StorageFeed {
  readonly #options: StorageFeedOptions;
  readonly #abort = new AbortController();
  #progress: FeedProgress;
  #watch: StorageWatch | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  /** The failure of the last run, until one loads again: a store that stays away is reported once. */
  #reported: string | undefined;

  constructor(options: StorageFeedOptions) {
    this.#options = options;
    this.#progress = this.#newProgress();
  }

  /** All caches are at this revision, or later. */
  get revision(): bigint {
    return this.#progress.revision;
  }

  /** How many runs have failed since the start. */
  get failures(): number {
    return this.#failures;
  }

  /** Begins; resolves when the caches have been filled for the first time. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#running ??= this.#run(resolve);
    });
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('the server is stopping'));
    for (const cache of this.#options.caches) cache.stop();
    this.#progress.end();
    await this.#running;
  }

  /** As `CacheGeneration.reached`, for all kinds and the run that is under way. */
  reached(revision: bigint, signal?: AbortSignal): Promise<boolean> {
    return this.#progress.reached(revision, signal);
  }

  async #run(firstLoad: () => void): Promise<void> {
    const { signal } = this.#abort;
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      try {
        const run = await this.#load();
        firstLoad();
        this.#reported = undefined;
        retryMs = FIRST_RETRY_MS;
        await this.#follow(run);
        throw new Error('the watch of the store ended');
      } catch (error) {
        if (signal.aborted) return;
        this.#lose(error);
        await this.#pause(retryMs * (0.5 + Math.random() / 2));
        retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
      }
    }
  }

  /** Ends the run: every generation, its watches and the requests that wait for it. */
  #lose(error: unknown): void {
    const { caches, onError } = this.#options;
    this.#failures += 1;
    this.#watch = undefined;
    const ended = this.#progress;
    this.#progress = this.#newProgress();
    const reason = error instanceof Error ? error.message : String(error);
    for (const cache of caches) cache.lose(reason);
    ended.end();
    if (this.#reported !== reason) onError?.(error);
    this.#reported = reason;
  }

  /** Begins a generation of every cache, all with the state at one revision. */
  async #load(): Promise<FeedRun> {
    const { engine, caches } = this.#options;
    const revision = await engine.revision({ signal: this.#abort.signal });
    const generations: CacheGeneration[] = [];
    const byRoot = new Map<string, CacheGeneration[]>();
    for (const cache of caches) {
      const entries = await this.#entries(cache, revision);
      if (entries === undefined) continue;
      const generation = cache.load(entries, revision, this.#progress);
      generations.push(generation);
      byRoot.set(cache.root, [...(byRoot.get(cache.root) ?? []), generation]);
    }
    this.#progress.advance(revision);
    return { revision, generations, byRoot };
  }

  /** Undefined when the store is damaged where this kind is: the kind is not served, the others are. */
  async #entries(cache: ResourceCache, revision: bigint): Promise<readonly Entry[] | undefined> {
    const { engine, onError } = this.#options;
    try {
      const { entries } = await engine.range(cache.root, { at: revision, signal: this.#abort.signal });
      return entries;
    } catch (error) {
      if (!isStorageError(error, 'CORRUPT')) throw error;
      cache.lose(error.message);
      onError?.(error);
      return undefined;
    }
  }

  async #follow({ revision, generations, byRoot }: FeedRun): Promise<void> {
    const { engine } = this.#options;
    const watch = engine.watch(REGISTRY_ROOT, { after: revision, signal: this.#abort.signal });
    this.#watch = watch;
    if (this.#progress.hasWaiters) this.#askStore(false);
    for await (const batch of watch) {
      for (const event of batch.events) {
        for (const generation of generationsOf(byRoot, event.key)) generation.apply(event);
      }
      for (const generation of generations) generation.settle(batch.revision);
      this.#progress.advance(batch.revision);
    }
  }

  #newProgress(): FeedProgress {
    return new FeedProgress(this.#options.clock, (isRepeated) => this.#askStore(isRepeated));
  }

  #askStore(isRepeated: boolean): void {
    const { engine } = this.#options;
    if (engine.capabilities.progressRequests) this.#watch?.requestProgress();
    // Usually the revision is on its way. If it is not, nothing in the registry has changed since, and the marker does.
    else if (isRepeated) void writeProgressMarker(engine);
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#abort;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#options.clock.after(ms, done);
      signal.addEventListener('abort', done);
    });
  }
}

const NONE: readonly CacheGeneration[] = [];

/** A kind's folder is one segment or two: `configmaps`, `services/specs`, `example.com/widgets`. */
function generationsOf(byRoot: FeedRun['byRoot'], key: string): readonly CacheGeneration[] {
  const first = key.indexOf('/', REGISTRY_ROOT.length) + 1;
  const second = key.indexOf('/', first) + 1;
  return byRoot.get(key.slice(0, first)) ?? byRoot.get(key.slice(0, second)) ?? NONE;
}
