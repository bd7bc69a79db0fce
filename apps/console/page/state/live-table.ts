/** The rows of a table as signals: an informer of Tables, its changes taken over once a frame. */

import type { Resource } from '@listwatch/api';
import type { Cluster, ServedResource } from '@listwatch/client';
import { type Informer, type InformerStatus, informer, objectKey, type StoreChange } from '@listwatch/runtime';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { RowHistory } from '../logic/row-history.ts';
import type { RowView, ShownRow } from '../logic/row-order.ts';
import { advance, type SortSteps } from '../logic/sorted-in-steps.ts';
import { SortedRows } from '../logic/sorted-rows.ts';
import type { TableColumn, TableRow } from '../logic/table-rows.ts';
import { onFrame } from './on-frame.ts';
import type { PastTable } from './past-table.ts';
import { type RowCluster, rowResource, tableCluster } from './table-cluster.ts';

export interface Selection {
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
}

/** The rows after a change. The list is changed in place; this is a new object each time. */
export interface TableRows {
  readonly list: readonly ShownRow[];
  /** Rows before the search. */
  readonly total: number;
  /** Everything up to this version is shown; `''` before the first complete state. */
  readonly resourceVersion: string;
}

export interface LiveTable {
  readonly columns: ReadonlySignal<readonly TableColumn[]>;
  /** While the first state arrives: the rows so far. */
  readonly rows: ReadonlySignal<TableRows>;
  readonly status: ReadonlySignal<InformerStatus>;
  show(view: Omit<RowView, 'columns'>): void;
  /** The rows at a version that this table has seen itself; undefined when it was opened later. */
  remembered(at: string, view: Omit<RowView, 'columns'>): PastTable | undefined;
  close(): void;
}

/** Follows a resource. Throws a TypeError for a selector that cannot be parsed. */
export function liveTable(
  cluster: Cluster,
  resource: ServedResource,
  { namespace, labels, fields }: Selection,
  view: Omit<RowView, 'columns'>,
): LiveTable {
  return new InformerTable(cluster, resource, { namespace, labels, fields }, view);
}

/** What a frame may take for rows; the rest of its 16 ms is for drawing them. */
const FRAME_BUDGET_MS = 6;
/** So many changes are taken over in one frame; these take about as long. */
const FRAME_CHANGES = 4000;
/** Changes are read for so long before frames and keys get their turn. */
const READ_MS = 6;

class InformerTable implements LiveTable {
  readonly columns: Signal<readonly TableColumn[]> = signal([]);
  readonly rows: Signal<TableRows>;
  readonly status: Signal<InformerStatus> = signal({ phase: 'syncing', since: Date.now() });
  readonly #tables: RowCluster;
  readonly #resource: Resource<TableRow>;
  readonly #informer: Informer<TableRow>;
  readonly #stop = new AbortController();
  readonly #sorted: SortedRows;
  readonly #history = new RowHistory();
  #view: Omit<RowView, 'columns'>;
  /** The last state of each object that has changed since the last frame: bounded by the number of objects. */
  readonly #changes = new Map<string, TableRow | undefined>();
  /** The same, of what was there before. */
  readonly #initial = new Map<string, TableRow | undefined>();
  /** Another order or search that is under way. */
  #showing: SortSteps<void> | undefined;
  #cancelFrame: (() => void) | undefined;

  constructor(cluster: Cluster, resource: ServedResource, selection: Selection, view: Omit<RowView, 'columns'>) {
    this.#view = view;
    this.#sorted = new SortedRows({ ...view, columns: [] });
    this.rows = signal({ list: this.#sorted.rows, total: 0, resourceVersion: '' });
    const { namespace, labels, fields } = selection;
    this.#tables = tableCluster(cluster, resource, {
      onColumns: (columns) => this.#setColumns(columns),
      onRow: (row) => this.#preview(row),
    });
    this.#resource = rowResource(resource);
    this.#informer = informer(this.#tables, this.#resource, {
      namespace: namespace === '' ? undefined : namespace,
      labelSelector: labels === '' ? undefined : labels,
      fieldSelector: fields === '' ? undefined : fields,
      signal: this.#stop.signal,
      freeze: false,
      // A person waits: a server that is back is noticed within seconds.
      backoff: { initialMs: 500, maxMs: 4000 },
      onWarning: () => {},
    });
    // A list that fails is the status's to tell.
    this.#informer.synced.then(
      () => this.#endPreview(),
      () => {},
    );
    void this.#followStatus();
    void this.#followChanges();
  }

  show(view: Omit<RowView, 'columns'>): void {
    this.#view = view;
    this.#showing = this.#sorted.show({ ...view, columns: this.columns.value });
    this.#schedule();
  }

  remembered(at: string, view: Omit<RowView, 'columns'>): PastTable | undefined {
    const rows = this.#history.at(Number(at));
    if (rows === undefined) return undefined;
    const columns = this.columns.value;
    const sorted = new SortedRows({ ...view, columns });
    sorted.apply(rows, true);
    return { at, columns, sorted, rows: { list: sorted.rows, total: sorted.total } };
  }

  close(): void {
    this.#stop.abort();
    this.#cancelFrame?.();
  }

  #setColumns(columns: readonly TableColumn[]): void {
    if (JSON.stringify(columns) === JSON.stringify(this.columns.value)) return;
    this.columns.value = columns;
    this.show(this.#view);
  }

  async #followStatus(): Promise<void> {
    try {
      for await (const status of this.#informer.statuses({ signal: this.#stop.signal })) this.status.value = status;
    } catch {
      // Closed.
    }
  }

  async #followChanges(): Promise<void> {
    try {
      let until = performance.now() + READ_MS;
      for await (const change of this.#informer.changes({ signal: this.#stop.signal })) {
        this.#take(change);
        if (performance.now() < until) continue;
        // A first list is told as one change after the other, which would hold the page until the last one.
        await new Promise((resolve) => setTimeout(resolve));
        until = performance.now() + READ_MS;
      }
    } catch {
      // Closed.
    }
  }

  #take(change: StoreChange<TableRow>): void {
    const { key, initial, object } = change;
    const row = change.type === 'delete' ? undefined : object;
    if (initial) {
      this.#initial.set(key, row);
      this.#history.begin(key, object);
    } else {
      this.#initial.delete(key);
      this.#changes.set(key, row);
      this.#history.change(key, row, Number(object.metadata.resourceVersion));
    }
    const synced = this.#informer.store.resourceVersion;
    if (synced !== undefined) this.#history.begun(Number(synced));
    this.#schedule();
  }

  /** Shows rows of the first list as they arrive. The informer tells of them when all are here. */
  #preview(row: TableRow): void {
    if (this.#informer.hasSynced) return;
    this.#initial.set(objectKey(row), row);
    this.#schedule();
  }

  /** A first list that was begun twice may have shown objects that were deleted between. */
  #endPreview(): void {
    const { store } = this.#informer;
    for (const keys of [this.#sorted.keys(), this.#initial.keys()]) {
      for (const key of keys) if (!store.has(key)) this.#initial.set(key, undefined);
    }
    this.#schedule();
    if (this.columns.value.length === 0) void this.#readColumns();
  }

  /** A watch without objects sends no columns; a list does. */
  async #readColumns(): Promise<void> {
    try {
      for await (const page of this.#tables.pages(this.#resource, { limit: 1, signal: this.#stop.signal })) {
        await page.items();
        break;
      }
    } catch {
      // Without columns the names are shown.
    }
  }

  #schedule(): void {
    this.#cancelFrame ??= onFrame(() => this.#takeOver());
  }

  #takeOver(): void {
    this.#cancelFrame = undefined;
    const until = performance.now() + FRAME_BUDGET_MS;
    if (this.#showing !== undefined) {
      if (!advance(this.#showing, until)) return this.#schedule();
      this.#showing = undefined;
    }
    this.#sorted.apply(taken(this.#initial, FRAME_CHANGES), true);
    this.#sorted.apply(taken(this.#changes, FRAME_CHANGES), false);
    if (this.#initial.size + this.#changes.size > 0) this.#schedule();
    const { rows, total } = this.#sorted;
    this.rows.value = { list: rows, total, resourceVersion: this.#informer.store.resourceVersion ?? '' };
  }
}

/** Takes the first entries out of a map. */
function taken<K, V>(from: Map<K, V>, count: number): ReadonlyMap<K, V> {
  const some = new Map<K, V>();
  for (const [key, value] of from) {
    if (some.size >= count) break;
    some.set(key, value);
    from.delete(key);
  }
  return some;
}
