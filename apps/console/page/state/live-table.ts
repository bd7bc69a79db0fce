/** The rows of a table as signals: an informer of Tables, its changes taken over once a frame. */

import type { Cluster, ServedResource } from '@listwatch/client';
import { type Informer, type InformerStatus, informer, type StoreChange } from '@listwatch/runtime';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { RowHistory } from '../logic/row-history.ts';
import type { RowView, ShownRow } from '../logic/row-order.ts';
import { SortedRows } from '../logic/sorted-rows.ts';
import type { TableColumn, TableRow } from '../logic/table-rows.ts';
import type { PastTable } from './past-table.ts';
import { rowResource, tableCluster } from './table-cluster.ts';

export interface Selection {
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
}

export interface LiveTable {
  readonly columns: ReadonlySignal<readonly TableColumn[]>;
  readonly rows: ReadonlySignal<readonly ShownRow[]>;
  readonly total: ReadonlySignal<number>;
  readonly status: ReadonlySignal<InformerStatus>;
  /** Everything up to this version is shown. */
  readonly resourceVersion: ReadonlySignal<string>;
  show(view: Omit<RowView, 'columns'>): void;
  /** The rows at a version that this table has seen itself; undefined when it was opened later. */
  remembered(at: string, view: Omit<RowView, 'columns'>): PastTable | undefined;
  close(): void;
}

/** A hidden tab gets no frames. */
const HIDDEN_TAB_MS = 500;

/** Follows a resource. Throws a TypeError for a selector that cannot be parsed. */
export function liveTable(
  cluster: Cluster,
  resource: ServedResource,
  { namespace, labels, fields }: Selection,
  view: Omit<RowView, 'columns'>,
): LiveTable {
  return new InformerTable(cluster, resource, { namespace, labels, fields }, view);
}

class InformerTable implements LiveTable {
  readonly columns: Signal<readonly TableColumn[]> = signal([]);
  readonly rows: Signal<readonly ShownRow[]> = signal([]);
  readonly total: Signal<number> = signal(0);
  readonly status: Signal<InformerStatus> = signal({ phase: 'syncing', since: Date.now() });
  readonly resourceVersion: Signal<string> = signal('');
  readonly #informer: Informer<TableRow>;
  readonly #stop = new AbortController();
  readonly #sorted: SortedRows;
  readonly #history = new RowHistory();
  #view: Omit<RowView, 'columns'>;
  /** The last state of each object that has changed since the last frame: bounded by the number of objects. */
  #pending = new Map<string, TableRow | undefined>();
  #pendingIsInitial = true;
  #cancelFrame: (() => void) | undefined;

  constructor(cluster: Cluster, resource: ServedResource, selection: Selection, view: Omit<RowView, 'columns'>) {
    this.#view = view;
    this.#sorted = new SortedRows({ ...view, columns: [] });
    const { namespace, labels, fields } = selection;
    const tables = tableCluster(cluster, resource, (columns) => this.#setColumns(columns));
    this.#informer = informer(tables, rowResource(resource), {
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
    this.#informer.synced.catch(() => {});
    void this.#followStatus();
    void this.#followChanges();
  }

  show(view: Omit<RowView, 'columns'>): void {
    this.#view = view;
    this.#sorted.show({ ...view, columns: this.columns.value });
    this.#publish();
  }

  remembered(at: string, view: Omit<RowView, 'columns'>): PastTable | undefined {
    const rows = this.#history.at(Number(at));
    if (rows === undefined) return undefined;
    const columns = this.columns.value;
    const sorted = new SortedRows({ ...view, columns });
    sorted.apply(rows, true);
    return { at, columns, sorted, rows: sorted.rows };
  }

  close(): void {
    this.#stop.abort();
    this.#cancelFrame?.();
  }

  #setColumns(columns: readonly TableColumn[]): void {
    if (JSON.stringify(columns) === JSON.stringify(this.columns.value)) return;
    this.columns.value = columns;
    this.#sorted.show({ ...this.#view, columns });
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
      for await (const change of this.#informer.changes({ signal: this.#stop.signal })) {
        this.#pending.set(change.key, change.type === 'delete' ? undefined : change.object);
        this.#pendingIsInitial &&= change.initial;
        this.#remember(change);
        this.#cancelFrame ??= onFrame(() => this.#takeOver());
      }
    } catch {
      // Closed.
    }
  }

  #remember(change: StoreChange<TableRow>): void {
    const version = Number(change.object.metadata.resourceVersion);
    if (change.initial) this.#history.begin(change.key, change.object);
    else this.#history.change(change.key, change.type === 'delete' ? undefined : change.object, version);
    const synced = this.#informer.store.resourceVersion;
    if (synced !== undefined) this.#history.begun(Number(synced));
  }

  #takeOver(): void {
    this.#cancelFrame = undefined;
    this.#sorted.apply(this.#pending, this.#pendingIsInitial);
    this.#pending = new Map();
    this.#pendingIsInitial = true;
    this.#publish();
  }

  #publish(): void {
    this.rows.value = this.#sorted.rows;
    this.total.value = this.#sorted.total;
    this.resourceVersion.value = this.#informer.store.resourceVersion ?? '';
  }
}

/** Runs with the next frame, or a little later where there are no frames. */
export function onFrame(run: () => void): () => void {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    cancel();
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_TAB_MS);
  const cancel = (): void => {
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  return cancel;
}
