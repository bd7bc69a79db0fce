/** The rows of a table in their order, kept while objects change: a change costs a binary search, not a sort. */

import { compareRows, matches, type RowView, type ShownRow, sortValue } from './row-order.ts';
import type { TableRow } from './table-rows.ts';

/** The last state of an object; undefined: it is gone. */
export type RowChanges = ReadonlyMap<string, TableRow | undefined>;

/** More than this share of changed rows is sorted anew. */
const SORT_SHARE = 0.05;

export class SortedRows {
  readonly #all = new Map<string, ShownRow>();
  #view: RowView;
  #shown: ShownRow[] = [];

  constructor(view: RowView) {
    this.#view = view;
  }

  /** In order. A new array after each change. */
  get rows(): readonly ShownRow[] {
    return this.#shown;
  }

  /** Rows before the search. */
  get total(): number {
    return this.#all.size;
  }

  /** Another order or search. */
  show(view: RowView): void {
    this.#view = view;
    for (const [key, row] of this.#all) this.#all.set(key, { ...row, sortBy: sortValue(row.object, view) });
    this.#sortAll();
  }

  clear(): void {
    this.#all.clear();
    this.#shown = [];
  }

  /** Takes over changes. `initial`: they are no news, and do not flash. */
  apply(changes: RowChanges, initial: boolean): void {
    if (changes.size === 0) return;
    const sortAnew = changes.size > Math.max(100, this.#shown.length * SORT_SHARE);
    const next = sortAnew ? this.#shown : [...this.#shown];
    for (const [key, object] of changes) {
      const old = this.#all.get(key);
      const row = object && this.#rowOf(key, object, initial ? 0 : (old?.changes ?? 0) + 1);
      if (row === undefined) this.#all.delete(key);
      else this.#all.set(key, row);
      if (!sortAnew) this.#move(next, old, row);
    }
    if (sortAnew) this.#sortAll();
    else this.#shown = next;
  }

  #rowOf(key: string, object: TableRow, changes: number): ShownRow {
    return { key, object, sortBy: sortValue(object, this.#view), changes };
  }

  #sortAll(): void {
    const { search, descending } = this.#view;
    this.#shown = [...this.#all.values()]
      .filter(({ object }) => matches(object, search))
      .toSorted(compareRows(descending));
  }

  #move(rows: ShownRow[], old: ShownRow | undefined, row: ShownRow | undefined): void {
    const { search, descending } = this.#view;
    const compare = compareRows(descending);
    const isShown = row !== undefined && matches(row.object, search);
    const at = old === undefined ? -1 : place(rows, old, compare);
    const isThere = at >= 0 && rows[at]?.key === old?.key;
    if (isThere && isShown && compare(row, rows[at] ?? row) === 0) {
      rows[at] = row;
      return;
    }
    if (isThere) rows.splice(at, 1);
    if (isShown) rows.splice(place(rows, row, compare), 0, row);
  }
}

/** Where a row is, or would be. */
function place(rows: readonly ShownRow[], row: ShownRow, compare: (a: ShownRow, b: ShownRow) => number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = rows[middle];
    if (found !== undefined && compare(found, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
