/** The cache of one kind: what the kind is, and the generation that can be read now. */

import { cacheInitializing, cacheStopped } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Clock, Entry, StorageError } from '@listwatch/storage';
import type { ReadKind } from '../kinds/read-kind.ts';
import { storageRoot } from '../stored/object-folder.ts';
import { servedMessage } from '../stored/object-message.ts';
import type { ReadLayout } from '../stored/read-layout.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { undecodableError } from '../stored/undecodable-error.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import { type CacheBudgets, createCacheBudgets } from './cache-budgets.ts';
import { CacheGeneration, type GenerationProgress } from './cache-generation.ts';
import { type CacheInput, type CacheState, newCacheState, stepCache } from './cache-state.ts';
import type { CachedObject } from './cached-object.ts';
import type { WindowOptions } from './change-window.ts';
import { FeedProgress, FRESHNESS_TIMEOUT_MS } from './feed-progress.ts';

/** Options of a {@link ResourceCache}. */
export interface ResourceCacheOptions {
  readonly definition: ReadKind;
  readonly clock: Clock;
  /** Default: that of the store. */
  readonly layout?: ReadLayout | undefined;
  readonly window?: WindowOptions | undefined;
  /** What the verbs of this server write. Default: every object is parsed. */
  readonly written?: WrittenObjects | undefined;
  /** Default: budgets of its own. */
  readonly budgets?: CacheBudgets | undefined;
  /** Told once of each value that cannot be decoded. */
  readonly onUndecodable?: ((error: StorageError) => void) | undefined;
  /** See `GenerationParts`. */
  readonly onOwned?: ((isOwned: boolean) => void) | undefined;
}

/** At most this many values are reported; the metric counts all of them. */
const MAX_REPORTED = 100;

/** Filled by the feed, once for each of its runs. */
export class ResourceCache {
  readonly definition: ReadKind;
  readonly layout: ReadLayout;
  /** Keys of this kind begin with this. */
  readonly root: string;
  /** Set by the feed while the cache joins a run: resolves when it has joined, or could not. */
  joining: Promise<void> | undefined;
  /** Told of each generation that begins, before anything is read from it. */
  onGeneration: ((generation: CacheGeneration) => void) | undefined;
  readonly #options: ResourceCacheOptions;
  readonly #budgets: CacheBudgets;
  readonly #reported = new Set<string>();
  #state: CacheState;

  constructor(options: ResourceCacheOptions) {
    const { definition, clock, budgets = createCacheBudgets(), layout = layoutOf(definition) } = options;
    this.definition = definition;
    this.layout = layout;
    this.root = storageRoot(definition);
    this.#options = options;
    this.#budgets = budgets;
    this.#state = newCacheState(monotonicMs(clock));
  }

  get state(): CacheState {
    return this.#state;
  }

  /** The generation that can be read now; undefined while there is none. */
  get generation(): CacheGeneration | undefined {
    return this.#state.type === 'ready' ? this.#state.generation : undefined;
  }

  /** The time, for ages in Tables. */
  now(): number {
    return this.#options.clock.now();
  }

  /** The generation to read from. Throws the 429 that asks clients to come back when there is none. */
  requireReady(): CacheGeneration {
    if (this.#state.type === 'ready') return this.#state.generation;
    const downMs = monotonicMs(this.#options.clock) - this.#state.since;
    if (this.#state.type === 'stopped') throw cacheStopped(downMs / 1000);
    throw cacheInitializing(downMs / 1000, this.#state.error);
  }

  /**
   * While the cache is loaded for the first time: resolves when it can be read, or after a few seconds. Undefined: there is
   * nothing to wait for.
   */
  joined(): Promise<void> | undefined {
    const { joining } = this;
    if (joining === undefined || this.#state.type !== 'pending' || this.#state.error !== undefined) return undefined;
    return new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(FRESHNESS_TIMEOUT_MS, resolve);
      void joining.finally(() => {
        cancel();
        resolve();
      });
    });
  }

  /** An object in protobuf: encoded once while a generation can be read, and then for each reader. Throws as `encodeObject`. */
  message(object: CachedObject): Buffer {
    const { generation } = this;
    if (generation !== undefined) return generation.message(object);
    return servedMessage(this.definition, this.layout, object.bytes);
  }

  /** Lets `make` encode an object before `message` is called. */
  async prepareMessage(object: CachedObject, make: () => Promise<Buffer>): Promise<void> {
    await this.generation?.prepareMessage(object, make);
  }

  /** Begins a generation with the state at `revision`. The one before ends, if there was one. */
  load(entries: readonly Entry[], revision: bigint, progress?: GenerationProgress): CacheGeneration {
    const generation = this.begin(revision, progress);
    generation.fill(entries);
    this.publish(generation);
    return generation;
  }

  /** The same in several turns of the event loop. Requests are not answered from it before it is complete. */
  async loadInTurns(
    entries: readonly Entry[],
    revision: bigint,
    progress: GenerationProgress,
  ): Promise<CacheGeneration> {
    const generation = this.begin(revision, progress);
    await generation.fillInTurns(entries);
    return generation;
  }

  /** What `loadInTurns` made, or was made of `begin`, is read from now on. */
  publish(generation: CacheGeneration): void {
    this.generation?.end();
    generation.filled();
    this.#step({ type: 'loaded', generation });
    if (this.generation !== generation) generation.end();
    else this.onGeneration?.(generation);
  }

  /** A generation without objects, to be filled and published. */
  begin(revision: bigint, progress: GenerationProgress | undefined): CacheGeneration {
    const { definition, layout, root } = this;
    const { clock, window, written, onOwned } = this.#options;
    const parts = { definition, layout, root, clock, window, written, onOwned, budgets: this.#budgets };
    const onUndecodable = (key: string, at: bigint): void => this.#report(key, at);
    const own = progress ?? new FeedProgress(clock, () => undefined);
    return new CacheGeneration({ ...parts, progress: own, onUndecodable }, revision);
  }

  /** The feed is lost: the generation ends with all its watches. */
  lose(error?: string): void {
    const { generation } = this;
    this.#step({ type: 'lost', error });
    generation?.end();
  }

  stop(): void {
    const { generation } = this;
    this.#step({ type: 'stopped' });
    generation?.end();
  }

  #step(input: CacheInput): void {
    this.#state = stepCache(this.#state, input, monotonicMs(this.#options.clock));
  }

  #report(key: string, revision: bigint): void {
    const id = `${key}@${revision}`;
    if (this.#reported.has(id) || this.#reported.size >= MAX_REPORTED) return;
    this.#reported.add(id);
    this.#options.onUndecodable?.(undecodableError(key, revision));
  }
}
