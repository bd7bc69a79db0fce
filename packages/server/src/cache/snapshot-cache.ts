/** Snapshots for the next pages of lists, so that every page shows the same state. */

import { monotonicMs } from '@listwatch/api/internal';
import type { CancelTimer, Clock } from '@listwatch/storage';
import type { BudgetMember, ByteBudget } from './byte-budget.ts';
import { objectBytes } from './cached-object.ts';
import type { ChangeWindow } from './change-window.ts';
import type { ObjectChange, ObjectSnapshot } from './object-tree.ts';

const MAX_SNAPSHOTS = 64;
/** Continue tokens of kube-apiserver live about this long: then the store has been compacted. */
const MAX_AGE_MS = 5 * 60_000;
/** The first change of an object after a snapshot copies the nodes of the tree on the way to it (measured: 20 000 objects). */
const PATH_BYTES = 2560;
/** All nodes of a tree take about this much for each of its entries. */
const ENTRY_BYTES = 64;

/** What a snapshot keeps alive is what has been replaced or deleted until the next one was taken. */
interface Kept {
  readonly snapshot: ObjectSnapshot;
  readonly time: number;
  /** Objects that no later snapshot has. */
  replacedBytes: number;
  changes: number;
}

/**
 * Keeps snapshots until they are too old, too many or too large; the oldest goes first, so that its bytes are exactly
 * what its eviction frees. A page without its snapshot is made again from the window, or read from the store.
 */
export class SnapshotCache implements BudgetMember {
  readonly #budget: ByteBudget;
  readonly #clock: Clock;
  /** By revision. */
  readonly #kept: Kept[] = [];
  #bytes = 0;
  #cancelExpiry: CancelTimer | undefined;

  constructor(budget: ByteBudget, clock: Clock) {
    this.#budget = budget;
    this.#clock = clock;
    budget.add(this);
  }

  get size(): number {
    return this.#kept.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The state at `revision`: kept, or made by undoing the changes since then on `current`. Undefined when the window
   * does not reach that far.
   */
  at(revision: bigint, current: ObjectSnapshot, window: ChangeWindow): ObjectSnapshot | undefined {
    const kept = this.#kept.find(({ snapshot }) => snapshot.revision === revision);
    if (kept !== undefined) return kept.snapshot;
    if (revision < window.oldestStart) return undefined;
    const made = current.undo(window.backTo(revision), revision);
    this.keep(made, window);
    return made;
  }

  /** Keeps a snapshot for the pages that follow. The window must reach back to it. */
  keep(snapshot: ObjectSnapshot, window: ChangeWindow): void {
    const { revision } = snapshot;
    const later = this.#kept.findIndex((one) => one.snapshot.revision >= revision);
    const index = later === -1 ? this.#kept.length : later;
    if (this.#kept[index]?.snapshot.revision === revision) return;
    const kept: Kept = { snapshot, time: monotonicMs(this.#clock), replacedBytes: 0, changes: 0 };
    this.#update(() => {
      this.#split(this.#kept[index - 1], kept, this.#kept[index], window);
      this.#kept.splice(index, 0, kept);
    });
    if (this.#kept.length > MAX_SNAPSHOTS) this.evictOldest();
    this.#expireLater();
  }

  /** A change was applied to the current objects. */
  changed({ previous }: ObjectChange): void {
    const newest = this.#kept.at(-1);
    if (newest === undefined) return;
    const before = bytesOf(newest);
    newest.changes += 1;
    if (previous !== undefined && previous.revision <= newest.snapshot.revision) {
      newest.replacedBytes += objectBytes(previous);
    }
    this.#charge(bytesOf(newest) - before);
  }

  evictOldest(): boolean {
    const [oldest] = this.#kept;
    if (oldest === undefined) return false;
    this.#update(() => this.#kept.shift());
    return true;
  }

  /** Drops all of them. */
  clear(): void {
    this.#update(() => this.#kept.splice(0));
    this.#cancelExpiry?.();
    this.#cancelExpiry = undefined;
  }

  /** Gives everything back. */
  dispose(): void {
    this.clear();
    this.#budget.remove(this);
  }

  /** Puts `kept` between two snapshots: what died after it counts for it from now on, and no longer for the earlier one. */
  #split(earlier: Kept | undefined, kept: Kept, later: Kept | undefined, window: ChangeWindow): void {
    for (const { previous, revision } of window.backTo(kept.snapshot.revision)) {
      if (later !== undefined && revision > later.snapshot.revision) continue;
      kept.changes += 1;
      if (previous === undefined || previous.revision > kept.snapshot.revision) continue;
      const bytes = objectBytes(previous);
      kept.replacedBytes += bytes;
      if (earlier !== undefined && previous.revision <= earlier.snapshot.revision) earlier.replacedBytes -= bytes;
    }
    if (earlier !== undefined) earlier.changes = Math.max(0, earlier.changes - kept.changes);
  }

  /** Makes a change to the list and charges the difference. */
  #update(change: () => void): void {
    change();
    let bytes = 0;
    for (const kept of this.#kept) bytes += bytesOf(kept);
    this.#charge(bytes - this.#bytes);
  }

  #charge(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.charge(bytes);
  }

  #expireLater(): void {
    const [oldest] = this.#kept.toSorted((left, right) => left.time - right.time);
    if (oldest === undefined || this.#cancelExpiry !== undefined) return;
    const now = monotonicMs(this.#clock);
    this.#cancelExpiry = this.#clock.after(oldest.time + MAX_AGE_MS - now, () => {
      this.#cancelExpiry = undefined;
      const youngest = monotonicMs(this.#clock) - MAX_AGE_MS;
      // A snapshot made again for an old revision counts as old as its own pages: later ones may expire before it.
      while ((this.#kept[0]?.time ?? Number.POSITIVE_INFINITY) <= youngest) this.evictOldest();
      this.#expireLater();
    });
  }
}

function bytesOf({ snapshot, replacedBytes, changes }: Kept): number {
  const paths = Math.max(changes, snapshot.undone);
  return replacedBytes + Math.min(paths * PATH_BYTES, PATH_BYTES + snapshot.size * ENTRY_BYTES);
}
