/** Follows the store and keeps every cache up to date: one watch for all kinds. */

import { setMaxListeners } from 'node:events';
import { type Clock, type Entry, isStorageError, type StorageEngine, type StorageWatch } from '@listwatch/storage';
import { REGISTRY_ROOT } from '../stored/object-folder.ts';
import type { CacheFeed } from './cache-feed.ts';
import type { CacheGeneration } from './cache-generation.ts';
import { ConvertingTarget, LateProgress } from './converting-target.ts';
import { FeedProgress } from './feed-progress.ts';
import { FeedRun, type FeedTarget, KeptEvents } from './feed-run.ts';
import { writeProgressMarker } from './progress-marker.ts';
import type { ResourceCache } from './resource-cache.ts';

/** How long a failed run waits before the next attempt, doubled each time, and jittered so that servers spread out. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

/** So many kinds are read from the store at once. */
const LOADS_AT_ONCE = 16;

/** So many objects are read over the network at once. */
const ENTRIES_PER_PAGE = 2000;

/** Options of a {@link StorageFeed}. */
export interface StorageFeedOptions {
  readonly engine: StorageEngine;
  readonly caches: readonly ResourceCache[];
  readonly clock: Clock;
  /** Told why a run of the feed ended; once while attempts keep failing for the same reason. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Loads all kinds at one revision and follows from there. One watch carries every kind, so a revision that has arrived
 * has arrived for all of them, and a quiet kind is as fresh as a busy one. When a run fails, the generations of all
 * caches end and the next run loads new ones. When only its history was compacted, they end as the new ones begin.
 */
export class StorageFeed implements CacheFeed {
  readonly #options: StorageFeedOptions;
  readonly #abort = new AbortController();
  readonly #caches: Set<ResourceCache>;
  /** The run that is under way; undefined while its caches are loaded. */
  #current: FeedRun | undefined;
  #progress: FeedProgress;
  #watch: StorageWatch | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  /** The failure of the last run, until one loads again: a store that stays away is reported once. */
  #reported: string | undefined;

  constructor(options: StorageFeedOptions) {
    // Every cache that is loaded listens to it, all at once: no leak that Node should warn of.
    setMaxListeners(0, this.#abort.signal);
    this.#options = options;
    this.#caches = new Set(options.caches);
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

  /** Feeds another cache. While a run is under way the cache joins it: see `ResourceCache.joining`. */
  add(cache: ResourceCache): void {
    if (this.#abort.signal.aborted) return cache.stop();
    this.#caches.add(cache);
    if (this.#current !== undefined) this.#startJoin(this.#current, cache);
  }

  /** Feeds the cache no longer: its generation ends with all its watches, and it stays empty. */
  remove(cache: ResourceCache): void {
    if (!this.#caches.delete(cache)) return;
    this.#current?.remove(cache);
    cache.lose();
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('the server is stopping'));
    for (const cache of this.#caches) cache.stop();
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
        // The store answers, only the history is gone: what was read is served until the new state is here.
        if (isStorageError(error, 'COMPACTED') && this.#current !== undefined) this.#outdated(error);
        else this.#lose(error);
        await this.#pause(retryMs * (0.5 + Math.random() / 2));
        retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
      }
    }
  }

  /** Ends the run: every generation, its watches and the requests that wait for it. */
  #lose(error: unknown): void {
    const ended = this.#progress;
    this.#progress = this.#newProgress();
    for (const cache of this.#caches) cache.lose(reasonOf(error));
    ended.end();
    this.#outdated(error);
  }

  /** No more changes come. The generations can be read, as old as they are, until others take their places. */
  #outdated(error: unknown): void {
    const { onError } = this.#options;
    this.#failures += 1;
    this.#watch = undefined;
    this.#current = undefined;
    const reason = reasonOf(error);
    if (this.#reported !== reason) onError?.(error);
    this.#reported = reason;
  }

  /** Begins a generation of every cache, all with the state at one revision. */
  async #load(): Promise<FeedRun> {
    // Requests may still wait for a run that is outdated: it keeps its progress until the new state is here.
    const progress = this.#progress.revision === 0n ? this.#progress : this.#newProgress();
    try {
      return await this.#loadWith(progress);
    } catch (error) {
      if (progress !== this.#progress) progress.end();
      throw error;
    }
  }

  async #loadWith(progress: FeedProgress): Promise<FeedRun> {
    const revision = await this.#options.engine.revision({ signal: this.#abort.signal });
    const run = new FeedRun(revision);
    const loaded = new Set<ResourceCache>();
    // The definitions of custom kinds add caches when they are loaded: those come in the next round.
    for (let rest = [...this.#caches]; rest.length > 0; rest = [...this.#caches].filter((one) => !loaded.has(one))) {
      for (const cache of rest) loaded.add(cache);
      const plain = rest.filter((cache) => !isConverted(cache));
      await this.#loadAll(run, plain, progress);
    }
    const ended = this.#progress;
    this.#progress = progress;
    progress.advance(revision);
    this.#current = run;
    // A webhook that does not answer must not keep the others from being served.
    for (const cache of this.#caches) {
      if (!isConverted(cache)) continue;
      if (ended !== progress) cache.lose(this.#reported);
      this.#startJoin(run, cache);
    }
    if (ended !== progress) ended.end();
    return run;
  }

  async #loadAll(run: FeedRun, caches: readonly ResourceCache[], progress: FeedProgress): Promise<void> {
    const waiting = caches.values();
    const worker = async (): Promise<void> => {
      for (const cache of waiting) {
        const generation = await this.#loaded(cache, run.revision, progress);
        if (generation !== undefined && this.#caches.has(cache)) run.add(cache, generation);
      }
    };
    await Promise.all(Array.from({ length: LOADS_AT_ONCE }, worker));
  }

  /** Fills a cache page by page, so that no more than a page is in memory twice. Undefined: see `#pages`. */
  async #loaded(cache: ResourceCache, revision: bigint, progress: FeedProgress): Promise<CacheGeneration | undefined> {
    const generation = cache.begin(revision, progress);
    const isComplete = await this.#pages(cache, revision, (entries) => generation.fillInTurns(entries));
    if (isComplete && this.#caches.has(cache)) cache.publish(generation);
    else generation.end();
    return isComplete ? generation : undefined;
  }

  /** Requests for a cache that joins wait for the first attempt, and no longer. */
  #startJoin(run: FeedRun, cache: ResourceCache): void {
    const joining = new Promise<void>((resolve) => {
      void this.#join(run, cache, resolve).finally(resolve);
    });
    cache.joining = joining;
    const forget = (): void => {
      if (cache.joining === joining) cache.joining = undefined;
    };
    void joining.then(forget);
  }

  /** Loads a cache while the run goes on, and lets it catch up with the changes that have come meanwhile. */
  async #join(run: FeedRun, cache: ResourceCache, onAttempt: () => void): Promise<void> {
    const isWanted = (): boolean => this.#current === run && this.#caches.has(cache);
    for (let retryMs = FIRST_RETRY_MS; isWanted(); retryMs = Math.min(LAST_RETRY_MS, retryMs * 2)) {
      const meanwhile = new KeptEvents();
      run.add(cache, meanwhile);
      try {
        const revision = await this.#options.engine.revision({ signal: this.#abort.signal });
        const entries = await this.#entries(cache, revision);
        if (entries === undefined) return run.remove(cache);
        const { generation, target } = await this.#filled(run, cache, entries, revision);
        if (isWanted() && !meanwhile.isOverrun) {
          for (const event of meanwhile.events) target.apply(event);
          run.add(cache, target);
          cache.publish(generation);
          return;
        }
        generation.end();
      } catch (error) {
        if (isWanted()) cache.lose(reasonOf(error));
      }
      if (!isWanted()) return;
      run.remove(cache);
      onAttempt();
      await this.#pause(retryMs);
    }
  }

  /** A generation with the state at a revision, and what feeds it from there. */
  async #filled(
    run: FeedRun,
    cache: ResourceCache,
    entries: readonly Entry[],
    revision: bigint,
  ): Promise<{ readonly generation: CacheGeneration; readonly target: FeedTarget }> {
    const convert = cache.definition.form?.convert;
    if (convert === undefined) {
      const generation = await cache.loadInTurns(entries, revision, this.#progress);
      return { generation, target: generation };
    }
    const progress = new LateProgress(this.#progress, revision);
    const generation = await cache.loadInTurns(await convert(entries), revision, progress);
    const onFailure = (error: unknown): void => {
      if (generation.isEnded) return;
      run.remove(cache);
      cache.lose(reasonOf(error));
      if (this.#current === run && this.#caches.has(cache)) this.#startJoin(run, cache);
    };
    return { generation, target: new ConvertingTarget({ generation, progress, convert, onFailure }) };
  }

  /** Everything of a kind, as `#pages`. */
  async #entries(cache: ResourceCache, revision: bigint): Promise<readonly Entry[] | undefined> {
    const entries: Entry[] = [];
    const isComplete = await this.#pages(cache, revision, async (page) => {
      for (const entry of page) entries.push(entry);
    });
    return isComplete ? entries : undefined;
  }

  /** Reads a kind. False when the store is damaged where this kind is: the kind is not served, the others are. */
  async #pages(
    cache: ResourceCache,
    revision: bigint,
    onPage: (entries: readonly Entry[]) => Promise<void>,
  ): Promise<boolean> {
    const { engine, onError } = this.#options;
    // A store in the process hands out what it has: pages would only cost.
    const limit = engine.capabilities.shared ? ENTRIES_PER_PAGE : 0;
    const { signal } = this.#abort;
    try {
      for (let start = cache.root; ; ) {
        const { entries, more } = await engine.range(cache.root, { at: revision, start, limit, signal });
        await onPage(entries);
        const last = entries.at(-1);
        if (!more || last === undefined) return true;
        start = `${last.key}\0`;
      }
    } catch (error) {
      if (!isStorageError(error, 'CORRUPT')) throw error;
      cache.lose(error.message);
      onError?.(error);
      return false;
    }
  }

  async #follow(run: FeedRun): Promise<void> {
    const { engine } = this.#options;
    const watch = engine.watch(REGISTRY_ROOT, { after: run.revision, signal: this.#abort.signal });
    this.#watch = watch;
    if (this.#progress.hasWaiters) this.#askStore(false);
    for await (const batch of watch) {
      run.apply(batch);
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Does a webhook convert the objects of this cache? */
function isConverted({ definition }: ResourceCache): boolean {
  return definition.form?.convert !== undefined;
}
