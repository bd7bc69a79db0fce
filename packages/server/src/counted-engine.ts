/** A storage engine that counts its commits and reports their outcomes. */

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
  StorageReport,
  StorageWatch,
  WatchOptions,
} from '@listwatch/storage';

/** What became of the commits since the start. */
export interface CommitCounts {
  committed: number;
  /** Another writer came first, or the key was not as expected. */
  refused: number;
  /** The store failed, or did not answer. */
  failed: number;
}

/** Hears of the outcome of every commit. */
export interface CommitObserver {
  committed(): void;
  failed(error: unknown): void;
}

/** Passes everything on unchanged. */
export class CountedEngine implements StorageEngine {
  readonly capabilities: StorageCapabilities;
  readonly counts: CommitCounts = { committed: 0, refused: 0, failed: 0 };
  /** Default: none. */
  observer: CommitObserver | undefined;
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
    this.capabilities = engine.capabilities;
  }

  /** The engine's own promise: a wrapped one would cost every write a turn. */
  commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    const result = this.#engine.commit(change, options);
    result.then(this.#count, this.#countFailure);
    return result;
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

  watch(prefix: string, options: WatchOptions): StorageWatch {
    return this.#engine.watch(prefix, options);
  }

  compact(revision: Revision, options?: AbortOptions): Promise<void> {
    return this.#engine.compact(revision, options);
  }

  report(points: number): StorageReport | undefined {
    return this.#engine.report?.(points);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #count = ({ committed }: CommitResult): void => {
    if (committed) {
      this.counts.committed += 1;
      this.observer?.committed();
    } else this.counts.refused += 1;
  };

  readonly #countFailure = (error: unknown): void => {
    this.counts.failed += 1;
    this.observer?.failed(error);
  };
}
