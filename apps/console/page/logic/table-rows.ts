/** Tables of the API as rows: what a watch or a list with `as=Table` sends becomes an object with its cells. */

import type { ApiObject, ObjectMeta } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { DecodedObject, ObjectDecoder } from '@listwatch/client';

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

export interface ResourceTable {
  readonly kind: 'Table';
  readonly metadata?: { readonly resourceVersion?: string | undefined } | undefined;
  readonly columnDefinitions?: readonly TableColumn[] | null | undefined;
  readonly rows?: readonly { readonly cells?: readonly unknown[]; readonly object?: ApiObject }[] | null | undefined;
}

/** Told of what arrives. */
export interface TableSink {
  /** Called whenever a Table has columns. */
  readonly onColumns: (columns: readonly TableColumn[]) => void;
  readonly onRow?: ((row: TableRow) => void) | undefined;
}

/** The kind that objects should have. */
export interface RowType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** Makes rows of the objects of a watch: Tables of one row, or the objects of a server that has no Tables. */
export function rowDecoder(
  type: RowType,
  sink: TableSink,
): ObjectDecoder<TableRow> & { readonly next: (json: Uint8Array, from: number) => DecodedObject<TableRow> } {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const one = (json: Uint8Array): TableRow => {
    const row = rowOf(JSON.parse(utf8.decode(json)), type, sink);
    sink.onRow?.(row);
    return row;
  };
  const next = (json: Uint8Array, from: number): DecodedObject<TableRow> => {
    // A frame is a line; before its newline stands the brace that closes the event.
    const newline = json.indexOf(NEWLINE, from);
    const end = (newline < 0 ? json.length : newline) - 1;
    return { object: one(json.subarray(from, end)), end };
  };
  return { one, next };
}

const NEWLINE = 10;

/** A Table as a list of rows. */
export function rowList(text: string, type: RowType, { onColumns, onRow }: TableSink): string {
  const table: unknown = JSON.parse(text);
  if (!isTable(table)) return text;
  if (table.columnDefinitions) onColumns(table.columnDefinitions);
  const items = (table.rows ?? []).map(({ object, cells }) => tableRow(object, cells ?? [], type));
  if (onRow !== undefined) for (const row of items) onRow(row);
  return JSON.stringify({ kind: `${type.kind}List`, apiVersion: type.apiVersion, metadata: table.metadata, items });
}

function rowOf(object: unknown, type: RowType, { onColumns }: TableSink): TableRow {
  if (!isTable(object)) return tableRow(object, undefined, type);
  if (object.columnDefinitions) onColumns(object.columnDefinitions);
  const row = object.rows?.[0];
  return tableRow(row?.object, row?.cells ?? [], type);
}

function tableRow(object: unknown, cells: readonly unknown[] | undefined, { kind, apiVersion }: RowType): TableRow {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is looked at with care
  const metadata = (object as ApiObject | null | undefined)?.metadata;
  // A key in a store is made of the name: a row without one must not get that far.
  if (typeof metadata?.name !== 'string') throw new TypeError('a row without the name of its object');
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels } = metadata;
  // All rows have the same members, absent ones too: the engine then keeps one shape for all of them.
  const kept: object = { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are members of ObjectMeta
  return { kind, apiVersion, metadata: kept as ObjectMeta, cells };
}

export function isTable(value: unknown): value is ResourceTable {
  return isRecord(value) && value['kind'] === 'Table';
}
