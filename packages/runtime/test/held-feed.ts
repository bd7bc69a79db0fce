/** A view of an engine whose watches can be held back: the caches of a server on it then fall behind its store. */

import type { StorageEngine, StorageWatch, WatchBatch, WatchOptions } from '@listwatch/storage';

export interface HeldFeed {
  readonly engine: StorageEngine;
  /** From now on no watch delivers anything. */
  hold(): void;
  /** What was held back is delivered. */
  release(): void;
}

/** Reads and writes go to `store` at once; closing it leaves the store open. */
export function heldFeed(store: StorageEngine): HeldFeed {
  let gate = Promise.resolve();
  let open: (() => void) | undefined;
  const watch = (prefix: string, options: WatchOptions): StorageWatch => {
    const inner = store.watch(prefix, options);
    return {
      requestProgress: () => inner.requestProgress(),
      async *[Symbol.asyncIterator](): AsyncGenerator<WatchBatch, void> {
        for await (const batch of inner) {
          await gate;
          yield batch;
        }
      },
    };
  };
  const engine: StorageEngine = {
    capabilities: store.capabilities,
    revision: (options) => store.revision(options),
    get: (key, options) => store.get(key, options),
    range: (prefix, options) => store.range(prefix, options),
    commit: (change, options) => store.commit(change, options),
    compact: (revision, options) => store.compact(revision, options),
    watch,
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return {
    engine,
    hold() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    release: () => open?.(),
  };
}
