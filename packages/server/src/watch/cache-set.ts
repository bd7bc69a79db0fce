/** All caches of a server, and the feed that keeps them up to date. */

import { groupResourceText } from '@listwatch/api';
import type { Clock, StorageEngine } from '@listwatch/storage';
import { type CacheBudgets, type CacheLimits, createCacheBudgets } from '../cache/cache-budgets.ts';
import type { WindowOptions } from '../cache/change-window.ts';
import { OwnedKinds } from '../cache/owned-kinds.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import { StorageFeed } from '../cache/storage-feed.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { WrittenObjects } from '../kinds/written-objects.ts';
import { CachedKind } from './cached-kind.ts';
import { FlushPacer } from './flush-pacer.ts';

/** Options of a {@link CacheSet}. */
export interface CacheSetOptions {
  readonly engine: StorageEngine;
  readonly definitions: Iterable<ResourceDefinition>;
  readonly clock: Clock;
  /** The window of a kind; default: kube-apiserver's. */
  readonly window?: ((definition: ResourceDefinition) => WindowOptions | undefined) | undefined;
  readonly limits?: CacheLimits | undefined;
  /** Told when the feed is lost, and of each value that cannot be decoded. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** One cache for each kind, one feed and one set of memory limits for all. */
export class CacheSet {
  readonly feed: StorageFeed;
  readonly budgets: CacheBudgets;
  /** The verbs leave here what they write, so that the caches need not parse it. */
  readonly written: WrittenObjects;
  /** The kinds that concern the garbage collector. */
  readonly ownedKinds: OwnedKinds;
  /** Sends the events of all kinds to their watchers. */
  readonly pacer: FlushPacer = new FlushPacer();
  readonly #kinds = new Map<ResourceDefinition, CachedKind>();

  constructor({ engine, definitions, clock, window, limits, onError }: CacheSetOptions) {
    this.budgets = createCacheBudgets(limits);
    this.written = new WrittenObjects(this.budgets.writtenObjects);
    const byName = new Map<string, ResourceCache>();
    this.ownedKinds = new OwnedKinds((name) => byName.get(name)?.generation?.lastOwned ?? 0n, onError);
    const { budgets, written, ownedKinds, pacer } = this;
    const channelCount = { channels: 0 };
    for (const definition of definitions) {
      const onOwned = (isOwned: boolean): void => ownedKinds.set(definition, isOwned);
      const own = { definition, window: window?.(definition), onOwned };
      const options = { ...own, clock, written, budgets, onUndecodable: onError };
      const cache = new ResourceCache(options);
      byName.set(groupResourceText(definition.resource), cache);
      this.#kinds.set(definition, new CachedKind(cache, { clock, budgets, channelCount, pacer }));
    }
    const caches = [...this.#kinds.values()].map((kind) => kind.cache);
    this.feed = new StorageFeed({ engine, caches, clock, onError });
  }

  /** The cache of a kind that this set was made for. */
  kind(definition: ResourceDefinition): CachedKind {
    const kind = this.#kinds.get(definition);
    if (kind === undefined) throw new TypeError(`there is no cache for ${definition.resource.plural}`);
    return kind;
  }

  *[Symbol.iterator](): Generator<CachedKind, undefined> {
    yield* this.#kinds.values();
  }
}
