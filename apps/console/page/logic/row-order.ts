/** What is shown of a row: its cells as texts, and the order and the search over them. */

import { Quantity } from '@listwatch/api/values';
import type { TableColumn, TableRow } from './table-rows.ts';

/** A row, ready to be compared and shown. */
export interface ShownRow {
  readonly key: string;
  readonly object: TableRow;
  /** What it is sorted by. */
  readonly sortBy: number | string;
  /** Changed since it is on the page: 0 never, then how often. The page flashes on a change of it. */
  readonly changes: number;
}

/** The order of rows, and which are shown. */
export interface RowView {
  readonly columns: readonly TableColumn[];
  readonly search: string;
  /** The name of a column; `''`: namespace and name. */
  readonly sort: string;
  readonly descending: boolean;
}

/** The age of the object, which is counted by the page because a cell is only as old as its frame. Other dates are as sent. */
export function isAgeColumn({ name }: TableColumn): boolean {
  return name === 'Age' || name === 'Created At';
}

/** The text of a cell. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Tests whether a row contains all the words of a search. Words are looked for in the cells and among the labels (`app=web`). */
export function rowMatcher(search: string): (row: TableRow) => boolean {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return () => true;
  return (row) => {
    const { name, namespace = '', labels } = row.metadata;
    let text = `${namespace}\n${name}`;
    for (const cell of row.cells ?? []) text += `\n${cellText(cell)}`;
    for (const label in labels) text += `\n${label}=${labels[label]}`;
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

/** What a row is sorted by. */
export function sortValue(row: TableRow, { columns, sort }: Pick<RowView, 'columns' | 'sort'>): number | string {
  if (sort === 'Namespace') return row.metadata.namespace ?? '';
  const index = sort === '' ? -1 : columns.findIndex(({ name }) => name === sort);
  const column = columns[index];
  if (column === undefined) return '';
  // The youngest first, as in a column of ages.
  if (isAgeColumn(column)) return -Date.parse(row.metadata.creationTimestamp ?? '') || 0;
  const value = row.cells?.[index];
  if (typeof value === 'number') return value;
  return quantity(cellText(value));
}

/** `12`, `3/5`, `100m`, `2Gi` compare by their size. */
function quantity(text: string): number | string {
  const [, amount] = /^(-?\d[^/]*)(?:\/\d+)?$/u.exec(text) ?? [];
  return Quantity.from(amount)?.toNumber() ?? text.toLowerCase();
}

export type RowOrder = (a: ShownRow, b: ShownRow) => number;

/** A total order: rows that are equal in the column stand by namespace and name. */
export function rowOrder(descending: boolean): RowOrder {
  const sign = descending ? -1 : 1;
  return (a, b) => sign * compareValues(a.sortBy, b.sortBy) || compareKeys(a.key, b.key);
}

/** Numbers stand before texts. */
function compareValues(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
