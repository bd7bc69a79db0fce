/** Follows the store and keeps every cache up to date: one watch for all kinds. */

import type { CancelTimer, Clock, StorageEngine, StorageWatch } from '@listwatch/storage';
import { REGISTRY_ROOT } from '../kinds/resource-registry.ts';
import { writeProgressMarker } from './progress-marker.ts';
import type { ResourceCache } from './resource-cache.ts';

/** How long a failed load waits before the next attempt, doubled each time. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;
/** While somebody waits for a revision, the store is asked this often how far the watch has come. */
const PROGRESS_EVERY_MS = 100;
/** As kube-apiserver: whoever waits for a revision waits this long. */
export const FRESHNESS_TIMEOUT_MS = 3000;

/** Options of a {@link StorageFeed}. */
export interface StorageFeedOptions {
  readonly engine: StorageEngine;
  readonly caches: readonly ResourceCache[];
  readonly clock: Clock;
  /** Told why the feed had to begin anew. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

interface Waiter {
  readonly revision: bigint;
  readonly reached: () => void;
}

/**
 * Loads all kinds at one revision and follows from there. Because one watch carries every kind, a revision that has
 * arrived has arrived for all of them, and a quiet kind is as fresh as a busy one.
 */
export class StorageFeed {
  readonly #options: StorageFeedOptions;
  readonly #byRoot = new Map<string, ResourceCache[]>();
  readonly #abort = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #watch: StorageWatch | undefined;
  #revision = 0n;
  #running: Promise<void> | undefined;
  #cancelProgress: CancelTimer | undefined;

  constructor(options: StorageFeedOptions) {
    this.#options = options;
    for (const cache of options.caches) {
      const same = this.#byRoot.get(cache.root);
      if (same === undefined) this.#byRoot.set(cache.root, [cache]);
      else same.push(cache);
    }
  }

  /** All caches are at this revision, or later. */
  get revision(): bigint {
    return this.#revision;
  }

  /** Begins; resolves when the caches have been filled for the first time. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#running ??= this.#run(resolve);
    });
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('the server is stopping'));
    this.#cancelProgress?.();
    await this.#running;
    for (const cache of this.#options.caches) cache.stop();
  }

  /**
   * Resolves with true when the caches have come to `revision`, with false when that takes too long. Aborting `signal`
   * rejects with its reason.
   */
  async reached(revision: bigint, signal?: AbortSignal, timeoutMs: number = FRESHNESS_TIMEOUT_MS): Promise<boolean> {
    if (this.#revision >= revision) return true;
    signal?.throwIfAborted();
    const { clock } = this.#options;
    const settled = await new Promise<boolean>((resolve) => {
      const settle = (answer: boolean): void => {
        this.#waiters.delete(waiter);
        cancel();
        signal?.removeEventListener('abort', aborted);
        resolve(answer);
      };
      const aborted = (): void => settle(false);
      const waiter: Waiter = { revision, reached: () => settle(true) };
      const cancel = clock.after(timeoutMs, () => settle(false));
      this.#waiters.add(waiter);
      signal?.addEventListener('abort', aborted, { once: true });
      this.#askProgress();
    });
    signal?.throwIfAborted();
    return settled;
  }

  /** The caches that a key belongs to: two where a kind is served under two groups. */
  #route(key: string): readonly ResourceCache[] {
    // A kind's folder is one segment or two: `configmaps`, `services/specs`, `example.com/widgets`.
    const first = key.indexOf('/', REGISTRY_ROOT.length) + 1;
    const second = key.indexOf('/', first) + 1;
    return this.#byRoot.get(key.slice(0, first)) ?? this.#byRoot.get(key.slice(0, second)) ?? [];
  }

  async #run(firstLoad: () => void): Promise<void> {
    const { caches, onError } = this.#options;
    let retryMs = FIRST_RETRY_MS;
    while (!this.#abort.signal.aborted) {
      try {
        const revision = await this.#load();
        firstLoad();
        retryMs = FIRST_RETRY_MS;
        await this.#follow(revision);
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        onError?.(error);
        for (const cache of caches) cache.lose(error instanceof Error ? error.message : String(error));
        await this.#pause(retryMs);
        retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
      }
    }
  }

  /** Fills every cache with the state at one revision. */
  async #load(): Promise<bigint> {
    const { engine, caches } = this.#options;
    const { signal } = this.#abort;
    const revision = await engine.revision({ signal });
    for (const cache of caches) {
      const { entries } = await engine.range(cache.root, { at: revision, signal });
      cache.load(entries, revision);
    }
    this.#advance(revision);
    return revision;
  }

  async #follow(after: bigint): Promise<void> {
    const { engine, caches } = this.#options;
    const watch = engine.watch(REGISTRY_ROOT, { after, signal: this.#abort.signal });
    this.#watch = watch;
    if (this.#waiters.size > 0) this.#askProgress();
    for await (const batch of watch) {
      for (const event of batch.events) for (const cache of this.#route(event.key)) cache.apply(event);
      for (const cache of caches) cache.settle(batch.revision);
      this.#advance(batch.revision);
    }
  }

  #advance(revision: bigint): void {
    this.#revision = revision;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.reached();
  }

  /** Asks now, and again while somebody waits. */
  #askProgress(isAgain = false): void {
    const { engine } = this.#options;
    if (engine.capabilities.progressRequests) this.#watch?.requestProgress();
    // Usually what is waited for is on its way. If it is not, nothing under our root has happened since.
    else if (isAgain) void writeProgressMarker(engine);
    this.#cancelProgress ??= this.#options.clock.after(PROGRESS_EVERY_MS, () => {
      this.#cancelProgress = undefined;
      if (this.#waiters.size > 0) this.#askProgress(true);
    });
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#abort;
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      signal.addEventListener(
        'abort',
        () => {
          cancel();
          resolve();
        },
        { once: true },
      );
    });
  }
}
