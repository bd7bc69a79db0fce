/** An engine whose watches stand still for a while: a server on it is behind its store. */

import type { AbortOptions } from '@listwatch/api';
import type {
  Change,
  CommitResult,
  GetResult,
  RangeOptions,
  RangeResult,
  ReadOptions,
  Revision,
  StorageCapabilities,
  StorageEngine,
  StorageWatch,
  WatchBatch,
  WatchOptions,
} from '@listwatch/storage';

export class SlowFeedEngine implements StorageEngine {
  /** Shared: what a server saw last may be old. */
  readonly capabilities: StorageCapabilities;
  readonly #engine: StorageEngine;
  #going: Promise<void> = Promise.resolve();
  #go: () => void = () => {};

  constructor(engine: StorageEngine) {
    this.#engine = engine;
    this.capabilities = Object.freeze({ ...engine.capabilities, shared: true });
  }

  pause(): void {
    this.#going = new Promise((resolve) => {
      this.#go = resolve;
    });
  }

  goOn(): void {
    this.#go();
  }

  watch(prefix: string, options: WatchOptions): StorageWatch {
    const watch = this.#engine.watch(prefix, options);
    const going = (): Promise<void> => this.#going;
    return {
      requestProgress: () => watch.requestProgress(),
      [Symbol.asyncIterator](): AsyncIterator<WatchBatch, undefined> {
        const batches = watch[Symbol.asyncIterator]();
        return {
          next: async () => {
            const next = await batches.next();
            await going();
            return next;
          },
          return: async () => {
            await batches.return?.();
            return { done: true, value: undefined };
          },
        };
      },
    };
  }

  revision(options?: AbortOptions): Promise<Revision> {
    return this.#engine.revision(options);
  }

  get(key: string, options?: ReadOptions): Promise<GetResult> {
    return this.#engine.get(key, options);
  }

  range(prefix: string, options?: RangeOptions): Promise<RangeResult> {
    return this.#engine.range(prefix, options);
  }

  commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    return this.#engine.commit(change, options);
  }

  compact(revision: Revision, options?: AbortOptions): Promise<void> {
    return this.#engine.compact(revision, options);
  }

  /** The next server needs the store. */
  async close(): Promise<void> {}

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
