/** All caches of a server, and the feed that keeps them up to date. */

import type { Clock, StorageEngine } from '@listwatch/storage';
import type { WindowOptions } from '../cache/change-window.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import { StorageFeed } from '../cache/storage-feed.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { WrittenObjects } from '../kinds/written-objects.ts';
import { WatchHub } from './watch-hub.ts';

/** Options of a {@link CacheSet}. */
export interface CacheSetOptions {
  readonly engine: StorageEngine;
  readonly definitions: Iterable<ResourceDefinition>;
  readonly clock: Clock;
  /** The window of a kind; default: kube-apiserver's. */
  readonly window?: ((definition: ResourceDefinition) => WindowOptions | undefined) | undefined;
  /** Told when the store could not be followed. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A kind's cache and its watchers. */
export interface CachedKind {
  readonly cache: ResourceCache;
  readonly hub: WatchHub;
}

/** One cache and one hub for each kind, one feed for all. */
export class CacheSet {
  readonly feed: StorageFeed;
  /** What the verbs write is left here for the caches. */
  readonly written: WrittenObjects = new WrittenObjects();
  readonly #kinds = new Map<ResourceDefinition, CachedKind>();

  constructor({ engine, definitions, clock, window, onError }: CacheSetOptions) {
    for (const definition of definitions) {
      const cache = new ResourceCache({ definition, clock, window: window?.(definition), written: this.written });
      this.#kinds.set(definition, { cache, hub: new WatchHub(cache, clock) });
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
