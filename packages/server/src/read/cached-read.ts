/** GET with a resource version: from the cache, once that is new enough. */

import { tooLargeResourceVersion } from '@listwatch/api';
import { undecodableError } from '../cache/cached-object.ts';
import type { CacheSet } from '../watch/cache-set.ts';
import type { GetOptions } from './get.ts';

/** Reads from these caches. While a cache is being filled the storage answers, as in Kubernetes. */
export function cachedReads(caches: CacheSet): NonNullable<GetOptions['cachedRead']> {
  return ({ definition }) => {
    const { cache } = caches.kind(definition);
    if (cache.state.type === 'pending') return undefined;
    return async ({ request }, key, atLeast) => {
      const generation = cache.requireReady();
      if (!(await generation.reached(atLeast, request.signal))) {
        throw tooLargeResourceVersion(atLeast, generation.revision);
      }
      const relative = key.slice(cache.root.length);
      if (generation.isUndecodable(relative)) throw undecodableError(key, generation.revision);
      return generation.get(relative)?.bytes;
    };
  };
}
