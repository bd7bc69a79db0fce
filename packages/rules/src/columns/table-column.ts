/** The columns that many tables share, and functions that declare columns. */

import type { KubeObject } from '../kube-object.ts';
import type { ColumnDefinition, TableColumns } from '../strategy/kind-definition.ts';
import { ageOf } from './human-duration.ts';

type Cells = readonly unknown[];

/** Declares a column. Default: a string that is always shown; priority 1 is for wide tables. */
export function column(name: string, description: string, overrides: Partial<ColumnDefinition> = {}): ColumnDefinition {
  return { name, type: 'string', format: '', description, priority: 0, ...overrides };
}

/** The name of the object. */
export const NAME_COLUMN: ColumnDefinition = column('Name', 'The name of the object, unique in its namespace.', {
  format: 'name',
});

/** The time since the object was created. */
export const AGE_COLUMN: ColumnDefinition = column('Age', 'The time since the object was created.');

/** A table with the name, the columns in `middle`, and the age. */
export function namedTable(
  middle: readonly ColumnDefinition[],
  cells: (object: KubeObject, now: number) => Cells,
): TableColumns {
  return {
    definitions: [NAME_COLUMN, ...middle, AGE_COLUMN],
    cells: (object, now) => [nameCell(object), ...cells(object, now), ageCell(object, now)],
  };
}

/** The table of a kind without columns: name and creation time. */
export const DEFAULT_TABLE: TableColumns = {
  definitions: [NAME_COLUMN, column('Created At', 'The time when the object was created.', { type: 'date' })],
  cells: (object) => [nameCell(object), object.metadata.creationTimestamp ?? null],
};

/** The cell of {@link NAME_COLUMN}. */
export function nameCell(object: KubeObject): string {
  return object.metadata.name ?? '';
}

/** The cell of {@link AGE_COLUMN}. */
export function ageCell(object: KubeObject, now: number): string {
  return ageOf(object.metadata.creationTimestamp, now);
}

/** Labels as one cell: `a=b,c=d`, or `<none>`. */
export function labelsCell(labels: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`);
  return parts.length === 0 ? '<none>' : parts.toSorted().join(',');
}
