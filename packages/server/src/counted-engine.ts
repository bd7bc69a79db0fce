/** A storage engine that counts its commits and reports their outcomes. */

import type { AbortOptions } from '@listwatch/api';
import type { Change, CommitResult } from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';

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
export class CountedEngine extends ForwardingEngine {
  readonly counts: CommitCounts = { committed: 0, refused: 0, failed: 0 };
  /** Default: none. */
  observer: CommitObserver | undefined;

  /** The engine's own promise: a wrapped one would cost every write a turn. */
  override commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    const result = this.engine.commit(change, options);
    result.then(this.#count, this.#countFailure);
    return result;
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
