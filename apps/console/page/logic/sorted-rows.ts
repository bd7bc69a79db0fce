/** The rows of a table in their order, kept while objects change: nothing is sorted twice, and long work is done in steps. */

import { type RowOrder, type RowView, rowMatcher, rowOrder, type ShownRow, sortValue } from './row-order.ts';
import { type SortSteps, sortedInSteps } from './sorted-in-steps.ts';
import type { TableRow } from './table-rows.ts';

/** The last state of an object; undefined: it is gone. */
export type RowChanges = ReadonlyMap<string, TableRow | undefined>;

const MOVED_ONE_BY_ONE = 64;

/** Rows between two steps. */
const STEP_ROWS = 2000;

export class SortedRows {
  readonly #movedOneByOne: number;
  readonly #all = new Map<string, ShownRow>();
  #view: RowView;
  #matches: (row: TableRow) => boolean;
  #compare: RowOrder;
  #shown: ShownRow[] = [];
  /** The view that the rows' `sortBy` is of; undefined while that changes. */
  #sortedFor: RowView | undefined;

  /** Up to `movedOneByOne` changes at once are moved one by one; more are merged, which costs one walk over all rows. */
  constructor(view: RowView, movedOneByOne: number = MOVED_ONE_BY_ONE) {
    this.#movedOneByOne = movedOneByOne;
    this.#view = view;
    this.#sortedFor = view;
    this.#matches = rowMatcher(view.search);
    this.#compare = rowOrder(view.descending);
  }

  /** In order. Changed in place: a copy of 100 000 rows for each frame would keep the garbage collector busy. */
  get rows(): readonly ShownRow[] {
    return this.#shown;
  }

  /** Rows before the search. */
  get total(): number {
    return this.#all.size;
  }

  keys(): Iterable<string> {
    return this.#all.keys();
  }

  /**
   * Another order or search. The rows are the old ones until the last step. No change may be applied before; another `show`
   * may begin.
   */
  *show(view: RowView): SortSteps<void> {
    const [matches, compare] = [rowMatcher(view.search), rowOrder(view.descending)];
    const isResorted = view.sort !== this.#sortedFor?.sort || view.columns !== this.#sortedFor.columns;
    if (isResorted) this.#sortedFor = undefined;
    const found: ShownRow[] = [];
    let count = 0;
    for (const [key, old] of this.#all) {
      const row = isResorted ? { ...old, sortBy: sortValue(old.object, view) } : old;
      if (row !== old) this.#all.set(key, row);
      if (matches(row.object)) found.push(row);
      count += 1;
      if (count % STEP_ROWS === 0) yield;
    }
    this.#shown = yield* sortedInSteps(found, compare);
    this.#view = view;
    this.#sortedFor = view;
    this.#matches = matches;
    this.#compare = compare;
  }

  /** Takes over changes. `initial`: they are no news, and do not flash. */
  apply(changes: RowChanges, initial: boolean): void {
    const moves: [old: ShownRow | undefined, row: ShownRow | undefined][] = [];
    for (const [key, object] of changes) {
      const old = this.#all.get(key);
      if (old?.object === object) continue;
      const row = object && this.#rowOf(key, object, initial ? (old?.changes ?? 0) : (old?.changes ?? 0) + 1);
      if (row === undefined) this.#all.delete(key);
      else this.#all.set(key, row);
      moves.push([old, row]);
    }
    // Most changes leave a row in its place.
    const others = moves.filter(([old, row]) => !this.#replace(old, row));
    if (others.length <= this.#movedOneByOne) {
      for (const [old, row] of others) this.#move(old, row);
      return;
    }
    const added = others.flatMap(([, row]) => (row !== undefined && this.#matches(row.object) ? [row] : []));
    this.#merge(
      added.toSorted(this.#compare),
      others.every(([old]) => old === undefined),
    );
  }

  #rowOf(key: string, object: TableRow, changes: number): ShownRow {
    return { key, object, sortBy: sortValue(object, this.#view), changes };
  }

  /** Merges sorted rows that are in `#all` already. Unless all are new, shown rows that are no longer there leave. */
  #merge(added: readonly ShownRow[], areNew: boolean): void {
    const [compare, all, kept] = [this.#compare, this.#all, this.#shown];
    const [last, first] = [kept.at(-1), added[0]];
    // A first list comes in the order of names: its rows stand behind those that are here.
    if (areNew && (last === undefined || first === undefined || compare(last, first) < 0)) {
      for (const row of added) kept.push(row);
      return;
    }
    const merged: ShownRow[] = [];
    let next = 0;
    for (const row of kept) {
      if (!areNew && all.get(row.key) !== row) continue;
      for (let other = added[next]; other !== undefined && compare(other, row) < 0; other = added[next]) {
        merged.push(other);
        next += 1;
      }
      merged.push(row);
    }
    for (; next < added.length; next += 1) {
      const other = added[next];
      if (other !== undefined) merged.push(other);
    }
    this.#shown = merged;
  }

  /** False: the row comes, goes, or stands elsewhere now. */
  #replace(old: ShownRow | undefined, row: ShownRow | undefined): boolean {
    const [rows, compare] = [this.#shown, this.#compare];
    if (old === undefined || row === undefined || compare(old, row) !== 0 || !this.#matches(row.object)) return false;
    const at = place(rows, old, compare);
    if (rows[at] !== old) return false;
    rows[at] = row;
    return true;
  }

  #move(old: ShownRow | undefined, row: ShownRow | undefined): void {
    const [rows, compare] = [this.#shown, this.#compare];
    const at = old === undefined ? -1 : place(rows, old, compare);
    if (at >= 0 && rows[at] === old) rows.splice(at, 1);
    if (row !== undefined && this.#matches(row.object)) rows.splice(place(rows, row, compare), 0, row);
  }
}

/** Where a row is, or would be. */
function place(rows: readonly ShownRow[], row: ShownRow, compare: RowOrder): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = rows[middle];
    if (found !== undefined && compare(found, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
