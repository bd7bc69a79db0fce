/** Tables of the API as rows: what a watch or a list with `as=Table` sends becomes an object with its cells. */

import type { ApiObject, ObjectMeta } from '@listwatch/api';

/** A column as the server defines it. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  /** 0: always shown; more: only when asked for. */
  readonly priority?: number | undefined;
}

/** An object as a row. Of its metadata only what the page uses is kept: 100 000 of them are in memory. */
export interface TableRow extends ApiObject {
  readonly metadata: ObjectMeta;
  /** Absent when the server has no Table for it. */
  readonly cells?: readonly unknown[] | undefined;
}

interface Table {
  readonly kind: 'Table';
  readonly metadata?: { readonly resourceVersion?: string | undefined } | undefined;
  readonly columnDefinitions?: readonly TableColumn[] | null | undefined;
  readonly rows?: readonly { readonly cells?: readonly unknown[]; readonly object?: ApiObject }[] | null | undefined;
}

/** Told of the columns, whenever a Table has them. */
export type ColumnSink = (columns: readonly TableColumn[]) => void;

/** The kind that objects should have. */
export interface RowType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The frame of a watch, with a row in place of its Table. */
export function rowEvent(line: string, type: RowType, onColumns: ColumnSink): string {
  const event: unknown = JSON.parse(line);
  if (!isRecord(event) || !isTable(event['object'])) return line;
  const table = event['object'];
  const [row] = table.rows ?? [];
  if (table.columnDefinitions) onColumns(table.columnDefinitions);
  // A bookmark says in the metadata of its row whether the initial events are over.
  if (event['type'] === 'BOOKMARK') {
    const metadata = { ...table.metadata, ...row?.object?.metadata };
    return JSON.stringify({ type: 'BOOKMARK', object: { ...type, metadata } });
  }
  return JSON.stringify({ type: event['type'], object: { ...type, ...rowOf(row) } });
}

/** A Table as a list of rows. */
export function rowList(text: string, type: RowType, onColumns: ColumnSink): string {
  const table: unknown = JSON.parse(text);
  if (!isTable(table)) return text;
  if (table.columnDefinitions) onColumns(table.columnDefinitions);
  const items = (table.rows ?? []).map((row) => ({ ...type, ...rowOf(row) }));
  return JSON.stringify({ kind: `${type.kind}List`, apiVersion: type.apiVersion, metadata: table.metadata, items });
}

function rowOf(row: { readonly cells?: readonly unknown[]; readonly object?: ApiObject } | undefined): object {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels } =
    row?.object?.metadata ?? {};
  return {
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels },
    cells: row?.cells ?? [],
  };
}

function isTable(value: unknown): value is Table {
  return isRecord(value) && value['kind'] === 'Table';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
