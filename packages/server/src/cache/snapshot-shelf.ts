/** Snapshots that somebody pages through, so that the next page shows the same state. */

import type { ChangeWindow } from './change-window.ts';
import type { ObjectSnapshot } from './object-tree.ts';

/** Each costs the nodes of the tree that have changed since: a few kilobytes a change. */
const MAX_SNAPSHOTS = 64;

/** Keeps the newest few. A page whose snapshot is gone is made again from the window, or read from the store. */
export class SnapshotShelf {
  readonly #snapshots = new Map<bigint, ObjectSnapshot>();

  get size(): number {
    return this.#snapshots.size;
  }

  /** Keeps a snapshot for the pages that follow. */
  keep(snapshot: ObjectSnapshot): void {
    this.#snapshots.delete(snapshot.revision);
    this.#snapshots.set(snapshot.revision, snapshot);
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > MAX_SNAPSHOTS && oldest !== undefined) this.#snapshots.delete(oldest);
  }

  /**
   * The state at `revision`: kept, or made by taking the changes since then back from `current`. Undefined when the
   * window does not reach that far.
   */
  at(revision: bigint, current: ObjectSnapshot, window: ChangeWindow): ObjectSnapshot | undefined {
    const kept = this.#snapshots.get(revision);
    if (kept !== undefined) return kept;
    if (revision < window.oldestStart) return undefined;
    const made = current.undo(window.backTo(revision), revision);
    this.keep(made);
    return made;
  }

  clear(): void {
    this.#snapshots.clear();
  }
}
