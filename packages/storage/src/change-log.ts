/** A log of changes that watches read with cursors: what the embedded engines have in common. */

import type { StorageEvent } from './storage-engine.ts';

/** Some changes from a log, oldest first. */
export interface LogChunk {
  readonly events: readonly StorageEvent[];
  /** The log has been read up to this revision, whether or not its last revisions brought events. */
  readonly revision: number;
}

/**
 * The log as a watch sees it. Revisions are plain numbers in here: exact up to 2^53, which at a hundred thousand
 * commits a second lasts 2 800 years, and several times cheaper than bigint in loops.
 */
export interface ChangeLog {
  /** The newest revision that may be shown. */
  readonly revision: number;
  /** Changes up to this revision are gone. */
  readonly compacted: number;
  readonly closed: boolean;
  /** Changes after `after` (between `compacted` and `revision`), as many as are convenient to take at once. */
  read(after: number): LogChunk | Promise<LogChunk>;
  /** Called by watches that have read everything; `wake` is called once, when there is something new. */
  onWake(wake: () => void): () => void;
}

/** The sleepers of a log. */
export class Wakeups {
  #sleepers = new Set<() => void>();

  /** Registers a sleeper for the next {@link wake}; the answer takes it back. */
  add(wake: () => void): () => void {
    this.#sleepers.add(wake);
    return () => this.#sleepers.delete(wake);
  }

  /** Wakes every sleeper, once. */
  wake(): void {
    if (this.#sleepers.size === 0) return;
    const sleepers = this.#sleepers;
    this.#sleepers = new Set();
    for (const wake of sleepers) wake();
  }
}
