/** The rows of a table as they were: an exact list at a version. */

import type { Cluster, ServedResource } from '@listwatch/client';
import { objectKey } from '@listwatch/runtime';
import type { RowView, ShownRow } from '../logic/row-order.ts';
import { advance } from '../logic/sorted-in-steps.ts';
import { SortedRows } from '../logic/sorted-rows.ts';
import type { TableColumn, TableRow } from '../logic/table-rows.ts';
import type { Selection } from './live-table.ts';
import { rowResource, tableCluster } from './table-cluster.ts';

export interface PastTable {
  readonly at: string;
  readonly columns: readonly TableColumn[];
  readonly sorted: SortedRows;
  /** The list is changed in place; this is a new object after each change. */
  readonly rows: { readonly list: readonly ShownRow[]; readonly total: number };
}

const PART_ROWS = 4000;
const STEPS_MS = 6;

/** Reads all rows at a version, page by page. Rejects with 410 when it is no longer kept. */
export async function readPastTable(
  cluster: Cluster,
  resource: ServedResource,
  { namespace, labels, fields }: Selection,
  at: string,
  view: Omit<RowView, 'columns'>,
  stop: AbortSignal,
): Promise<PastTable> {
  let columns: readonly TableColumn[] = [];
  const tables = tableCluster(cluster, resource, {
    onColumns: (some) => {
      columns = some;
    },
  });
  const found: TableRow[] = [];
  const query = {
    namespace: namespace === '' ? undefined : namespace,
    labelSelector: labels === '' ? undefined : labels,
    fieldSelector: fields === '' ? undefined : fields,
    resourceVersion: at,
    resourceVersionMatch: 'Exact' as const,
    limit: 1000,
    signal: stop,
  };
  for await (const page of tables.pages(rowResource(resource), query)) {
    found.push(...(await page.items()));
  }
  const sorted = new SortedRows({ ...view, columns });
  // In parts, between which the page can draw and the slider can move on.
  for (let from = 0; from < found.length; from += PART_ROWS) {
    stop.throwIfAborted();
    sorted.apply(new Map(found.slice(from, from + PART_ROWS).map((row) => [objectKey(row), row])), true);
    await nextTask();
  }
  return { at, columns, sorted, rows: { list: sorted.rows, total: sorted.total } };
}

/** The same rows in another order or search. */
export async function reorderPastTable(
  { at, columns, sorted }: PastTable,
  view: Omit<RowView, 'columns'>,
  stop: AbortSignal,
): Promise<PastTable> {
  const steps = sorted.show({ ...view, columns });
  while (!advance(steps, performance.now() + STEPS_MS)) {
    await nextTask();
    stop.throwIfAborted();
  }
  return { at, columns, sorted, rows: { list: sorted.rows, total: sorted.total } };
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
