/** What a table has shown since it was opened, for servers that keep no history: the rows at any version since then. */

import type { TableRow } from './table-rows.ts';

interface RowChange {
  readonly version: number;
  readonly key: string;
  /** undefined: it was deleted. */
  readonly row: TableRow | undefined;
}

/** As many changes are kept; older ones become part of the beginning. */
const MAX_CHANGES = 20_000;

export class RowHistory {
  readonly #base = new Map<string, TableRow>();
  readonly #changes: RowChange[] = [];
  #since: number | undefined;
  readonly #maxChanges: number;

  constructor(maxChanges: number = MAX_CHANGES) {
    this.#maxChanges = maxChanges;
  }

  /** The first version that can be shown; undefined before the first. */
  get since(): number | undefined {
    return this.#since;
  }

  /** An object of the first state. */
  begin(key: string, row: TableRow): void {
    this.#base.set(key, row);
  }

  /** The first state is complete. */
  begun(version: number): void {
    this.#since ??= version;
  }

  change(key: string, row: TableRow | undefined, version: number): void {
    this.#changes.push({ version, key, row });
    if (this.#changes.length <= this.#maxChanges) return;
    for (const old of this.#changes.splice(0, Math.ceil(this.#maxChanges / 10))) {
      set(this.#base, old);
      this.#since = Math.max(this.#since ?? 0, old.version);
    }
  }

  /** The rows at a version; undefined when that is before the first. */
  at(version: number): ReadonlyMap<string, TableRow> | undefined {
    if (this.#since === undefined || version < this.#since) return undefined;
    const rows = new Map(this.#base);
    for (const change of this.#changes) if (change.version <= version) set(rows, change);
    return rows;
  }
}

function set(rows: Map<string, TableRow>, { key, row }: RowChange): void {
  if (row === undefined) rows.delete(key);
  else rows.set(key, row);
}
