/** A storage engine that counts its commits, reports their outcomes and adds up how long calls wait. */

import type { AbortOptions } from '@listwatch/api';
import type {
  Change,
  CommitResult,
  GetResult,
  RangeOptions,
  RangeResult,
  ReadOptions,
  Revision,
} from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { CallTimes } from './call-times.ts';

/** Outcomes of commits since the start. */
export interface CommitCounts {
  committed: number;
  /** Refused: another writer was first, or a compared key differs. */
  refused: number;
  /** The store failed, or did not answer. */
  failed: number;
}

/** Called with the outcome of every commit. */
export interface CommitObserver {
  committed(): void;
  failed(error: unknown): void;
}

/** Forwards every call unchanged. */
export class CountedEngine extends ForwardingEngine {
  readonly counts: CommitCounts = { committed: 0, refused: 0, failed: 0 };
  /** Reads are counted only where the store is another process: in-process reads do not wait. */
  readonly times: Readonly<Record<'commit' | 'read', CallTimes>> = { commit: new CallTimes(), read: new CallTimes() };
  /** Default: none. */
  observer: CommitObserver | undefined;

  /** The engine's own promise: a wrapped one would cost every write a turn. */
  override commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    const result = this.engine.commit(change, options);
    this.times.commit.begin();
    result.then(this.#count, this.#countFailure);
    return result;
  }

  override get(key: string, options?: ReadOptions): Promise<GetResult> {
    return this.#read(this.engine.get(key, options));
  }

  override range(prefix: string, options?: RangeOptions): Promise<RangeResult> {
    return this.#read(this.engine.range(prefix, options));
  }

  override revision(options?: AbortOptions): Promise<Revision> {
    return this.#read(this.engine.revision(options));
  }

  #read<T>(result: Promise<T>): Promise<T> {
    if (this.capabilities.shared) this.times.read.watch(result);
    return result;
  }

  readonly #count = ({ committed }: CommitResult): void => {
    this.times.commit.end();
    if (committed) {
      this.counts.committed += 1;
      this.observer?.committed();
    } else this.counts.refused += 1;
  };

  readonly #countFailure = (error: unknown): void => {
    this.times.commit.end();
    this.counts.failed += 1;
    this.observer?.failed(error);
  };
}
