/** GET with a resource version: from the cache, once that is new enough. */

import { tooLargeResourceVersion } from '@listwatch/api';
import type { CacheSet } from '../watch/cache-set.ts';
import type { GetOptions } from './get.ts';

/** Reads from these caches. While a cache is being filled the storage answers, as in Kubernetes. */
export function cachedReads(caches: CacheSet): NonNullable<GetOptions['cachedRead']> {
  return ({ definition }) => {
    const { cache } = caches.kind(definition);
    if (cache.state.type === 'pending') return undefined;
    return async ({ request }, key, atLeast) => {
      cache.requireReady();
      if (!(await caches.feed.reached(atLeast, request.signal))) {
        throw tooLargeResourceVersion(atLeast, cache.revision);
      }
      return cache.get(key.slice(cache.root.length))?.bytes;
    };
  };
}
