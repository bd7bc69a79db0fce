/** An engine whose watch of the whole registry, the feed of the caches, can be broken. */

import { createMemoryEngine, type StorageEngine, StorageError, type WatchOptions } from '@listwatch/storage';
import { REGISTRY_ROOT } from '../stored/object-folder.ts';

/** A memory engine and the means to break the feed. Watches of a single kind are left alone. */
export interface BreakableFeed {
  readonly engine: StorageEngine;
  /** Breaks the feed that runs now; the next one works. */
  breakFeed(): void;
}

/** Makes one. */
export function breakableFeed(): BreakableFeed {
  const engine = createMemoryEngine();
  const watch = engine.watch.bind(engine);
  let breaks = new AbortController();
  engine.watch = (prefix: string, options: WatchOptions) => {
    if (prefix !== REGISTRY_ROOT) return watch(prefix, options);
    const { signal } = breaks;
    const any = AbortSignal.any([signal, ...(options.signal === undefined ? [] : [options.signal])]);
    return watch(prefix, { ...options, signal: any });
  };
  return {
    engine,
    breakFeed() {
      const old = breaks;
      breaks = new AbortController();
      old.abort(new StorageError('UNAVAILABLE', 'the connection to the store broke'));
    },
  };
}
