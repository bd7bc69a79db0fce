/** All caches of a server, and the feed that keeps them up to date. */

import { groupResourceText } from '@listwatch/api';
import type { Clock, Entry, StorageEngine } from '@listwatch/storage';
import { type CacheBudgets, type CacheLimits, createCacheBudgets } from '../cache/cache-budgets.ts';
import type { CacheFeed } from '../cache/cache-feed.ts';
import type { WindowOptions } from '../cache/change-window.ts';
import { OwnedKinds } from '../cache/owned-kinds.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import { StorageFeed } from '../cache/storage-feed.ts';
import type { ReadKind } from '../kinds/read-kind.ts';
import type { ReadLayout } from '../stored/read-layout.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { WrittenObjects } from '../stored/written-objects.ts';
import { CachedKind } from './cached-kind.ts';
import type { ChannelCount } from './channel-table.ts';
import { FlushPacer } from './flush-pacer.ts';

/** Options of a {@link CacheSet}. */
export interface CacheSetOptions {
  readonly definitions: Iterable<ReadKind>;
  readonly clock: Clock;
  /** How the objects of a kind are served; default: as the store has them. */
  readonly layout?: ((definition: ReadKind) => ReadLayout | undefined) | undefined;
  /** The window of a kind; default: kube-apiserver's. */
  readonly window?: ((definition: ReadKind) => WindowOptions | undefined) | undefined;
  readonly limits?: CacheLimits | undefined;
  /** Told when the feed is lost, and of each value that cannot be decoded. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Makes the feed of the caches that are there from the start. */
export type MakeFeed<Feed extends CacheFeed> = (caches: readonly ResourceCache[]) => Feed;

/** The caches of a server that has a store. */
export type StorageCaches = CacheSet<StorageFeed>;

/** Makes them. */
export function storageCaches(options: CacheSetOptions & { readonly engine: StorageEngine }): StorageCaches {
  const { engine, clock, onError } = options;
  return new CacheSet(options, (caches) => new StorageFeed({ engine, caches, clock, onError }));
}

/** One cache for each kind, one feed and one set of memory limits for all. */
export class CacheSet<Feed extends CacheFeed = CacheFeed> {
  readonly feed: Feed;
  readonly budgets: CacheBudgets;
  /** The verbs leave here what they write, so that the caches need not parse it. */
  readonly written: WrittenObjects;
  /** The kinds that concern the garbage collector. */
  readonly ownedKinds: OwnedKinds;
  /** Sends the events of all kinds to their watchers. */
  readonly pacer: FlushPacer = new FlushPacer();
  readonly #options: CacheSetOptions;
  readonly #channelCount: ChannelCount = { channels: 0 };
  /** The kinds that are served. */
  readonly #kinds = new Map<ReadKind, CachedKind>();
  /** Kinds that were served: requests that began before still ask for them. */
  readonly #retired = new WeakMap<ReadKind, CachedKind>();
  /** Custom kinds whose cache is made when it is first used. */
  readonly #unused = new Set<ReadKind>();
  /** By resource: which cache says when an owned object was last written. */
  readonly #byName = new Map<string, ResourceCache>();

  constructor(options: CacheSetOptions, makeFeed: MakeFeed<Feed>) {
    const { definitions, limits, onError } = options;
    this.#options = options;
    this.budgets = createCacheBudgets(limits);
    this.written = new WrittenObjects(this.budgets.writtenObjects);
    this.ownedKinds = new OwnedKinds((name) => this.#byName.get(name)?.generation?.lastOwned ?? 0n, onError);
    for (const definition of definitions) this.#make(definition, true);
    this.feed = makeFeed([...this.#kinds.values()].map((kind) => kind.cache));
  }

  /** The cache of a kind. That of a kind which is no longer served is never filled again. */
  kind(definition: ReadKind): CachedKind {
    const kind = this.#kinds.get(definition) ?? this.#retired.get(definition);
    if (kind !== undefined) return kind;
    if (!this.#unused.delete(definition)) throw new TypeError(`there is no cache for ${definition.resource.plural}`);
    const made = this.#make(definition, false);
    this.feed.add(made.cache);
    return made;
  }

  /** The entry of a key as the cache of its kind has it; undefined when it has none. */
  entry(definition: ReadKind, key: string): Entry | undefined {
    // Another version of a custom kind is stored in a form of its own.
    const cache = definition.form === undefined ? this.#kinds.get(definition)?.cache : undefined;
    const object = cache?.generation?.get(key.slice(cache.root.length));
    if (cache === undefined || object === undefined) return undefined;
    return { key, value: layoutOf(definition).stored(object.bytes), modRevision: object.revision };
  }

  /**
   * Serves another kind, in several versions over one folder of keys. The first one is cached from now on and says which
   * objects concern the garbage collector; a cache of another is made when it is first used.
   */
  add([first, ...others]: readonly ReadKind[]): void {
    if (first === undefined) return;
    this.feed.add(this.#make(first, true).cache);
    for (const definition of others) this.#unused.add(definition);
  }

  /** Serves kinds no longer: their watches end. */
  remove(definitions: readonly ReadKind[]): void {
    for (const definition of definitions) {
      const isUnused = this.#unused.delete(definition);
      const kind = this.#kinds.get(definition) ?? (isUnused ? this.#make(definition, false) : undefined);
      if (kind === undefined) continue;
      this.#kinds.delete(definition);
      this.#retired.set(definition, kind);
      this.ownedKinds.set(definition, false);
      this.feed.remove(kind.cache);
      const name = groupResourceText(definition.resource);
      if (this.#byName.get(name) === kind.cache) this.#byName.delete(name);
    }
  }

  *[Symbol.iterator](): Generator<CachedKind, undefined> {
    yield* this.#kinds.values();
  }

  #make(definition: ReadKind, countsOwned: boolean): CachedKind {
    const { clock, layout, window, onError } = this.#options;
    const { budgets, written, ownedKinds, pacer } = this;
    const onOwned = countsOwned ? (isOwned: boolean): void => ownedKinds.set(definition, isOwned) : undefined;
    const own = { definition, layout: layout?.(definition), window: window?.(definition), onOwned };
    const cache = new ResourceCache({ ...own, clock, written, budgets, onUndecodable: onError });
    if (countsOwned) this.#byName.set(groupResourceText(definition.resource), cache);
    const kind = new CachedKind(cache, { clock, budgets, channelCount: this.#channelCount, pacer });
    this.#kinds.set(definition, kind);
    return kind;
  }
}
