/** The rows of a table as they were: an exact list at a version. */

import type { Cluster, ServedResource } from '@listwatch/client';
import { objectKey } from '@listwatch/runtime';
import type { RowView, ShownRow } from '../logic/row-order.ts';
import { SortedRows } from '../logic/sorted-rows.ts';
import type { TableColumn, TableRow } from '../logic/table-rows.ts';
import type { Selection } from './live-table.ts';
import { rowResource, tableCluster } from './table-cluster.ts';

export interface PastTable {
  readonly at: string;
  readonly columns: readonly TableColumn[];
  readonly sorted: SortedRows;
  readonly rows: readonly ShownRow[];
}

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
  const tables = tableCluster(cluster, resource, (some) => {
    columns = some;
  });
  const rows = new Map<string, TableRow>();
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
    for await (const row of page) rows.set(objectKey(row), row);
  }
  const sorted = new SortedRows({ ...view, columns });
  sorted.apply(rows, true);
  return { at, columns, sorted, rows: sorted.rows };
}
