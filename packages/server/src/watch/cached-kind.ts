/** A kind's cache and its watchers. */

import type { ResourceCache } from '../cache/resource-cache.ts';
import { WatchHub, type WatchHubParts } from './watch-hub.ts';
import { WatchStats } from './watch-traffic.ts';

/** How many watch a kind now. */
export interface WatchCounts {
  readonly watchers: number;
  readonly channels: number;
  /** Watchers that are behind now. */
  readonly slow: number;
  readonly terminated: number;
}

/** Finds the hub of the current generation. */
export class CachedKind {
  readonly cache: ResourceCache;
  readonly stats: WatchStats = new WatchStats();
  readonly #parts: Omit<WatchHubParts, 'stats'>;
  #hub: WatchHub | undefined;

  constructor(cache: ResourceCache, parts: Omit<WatchHubParts, 'stats'>) {
    this.cache = cache;
    this.#parts = parts;
  }

  /** The hub of the current generation. Throws the 429 while there is none. */
  get hub(): WatchHub {
    const generation = this.cache.requireReady();
    if (this.#hub?.generation !== generation) {
      this.#hub = new WatchHub(generation, { ...this.#parts, stats: this.stats });
    }
    return this.#hub;
  }

  /** A read has proven how far the cache is. */
  tellProgress(): void {
    this.#current?.tellProgress();
  }

  get counts(): WatchCounts {
    const hub = this.#current;
    const { terminated } = this.stats;
    return { watchers: hub?.watchers ?? 0, channels: hub?.channels ?? 0, slow: hub?.slow ?? 0, terminated };
  }

  /** Drops the hub of a generation that has ended, and with it the objects of that generation. */
  get #current(): WatchHub | undefined {
    if (this.#hub?.generation.isEnded === true) this.#hub = undefined;
    return this.#hub;
  }
}
