/** What keeps caches up to date. */

import type { ResourceCache } from './resource-cache.ts';

/** Fills caches and applies every change to them. */
export interface CacheFeed {
  /** Feeds another cache from now on. */
  add(cache: ResourceCache): void;
  /** Feeds the cache no longer: its generation ends with all its watches, and it stays empty. */
  remove(cache: ResourceCache): void;
}
