/** Which columns of a table are shown, and how wide they are. */

import { ageText } from '../logic/age-text.ts';
import { cellText, isAgeColumn, type ShownRow } from '../logic/row-order.ts';
import type { TableColumn } from '../logic/table-rows.ts';

/** A column on the page. */
export interface ShownColumn {
  /** Of two columns with the same name, which a CRD may have, each has its own. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isName: boolean;
  readonly text: (row: ShownRow, now: number) => string;
}

/** Columns of low priority are shown when they were asked for; the others unless they were hidden. */
export function isColumnShown({ name, priority = 0 }: TableColumn, chosen: readonly string[]): boolean {
  return priority > 0 ? chosen.includes(`+${name}`) : !chosen.includes(name);
}

/** The columns in their order: the namespace first where there are several. */
export function shownColumns(
  columns: readonly TableColumn[],
  chosen: readonly string[],
  withNamespace: boolean,
): readonly ShownColumn[] {
  const shown = columns.flatMap((column, index): readonly ShownColumn[] => {
    if (!isColumnShown(column, chosen)) return [];
    const { name, description = '' } = column;
    const text = isAgeColumn(column)
      ? ({ object }: ShownRow, now: number): string => ageOf(object.metadata.creationTimestamp, now)
      : ({ object }: ShownRow): string => cellText(object.cells?.[index]);
    return [{ key: `${index} ${name}`, name, description, isName: name === 'Name' && index === 0, text }];
  });
  const names = shown.length === 0 || !shown.some(({ isName }) => isName) ? [NAME, ...shown] : shown;
  return withNamespace ? [NAMESPACE, ...names] : names;
}

const NAME: ShownColumn = {
  key: 'name',
  name: 'Name',
  description: 'The name of the object.',
  isName: true,
  text: ({ object }) => object.metadata.name,
};

const NAMESPACE: ShownColumn = {
  key: 'namespace',
  name: 'Namespace',
  description: 'The namespace of the object.',
  isName: false,
  text: ({ object }) => object.metadata.namespace ?? '',
};

/** Widths from the first rows: tracks of a grid. */
export function columnTracks(columns: readonly ShownColumn[], rows: readonly ShownRow[], now: number): string {
  const sample = rows.slice(0, 100);
  return columns
    .map((column) => {
      const longest = sample.reduce(
        (most, row) => Math.max(most, column.text(row, now).length),
        column.name.length + 2,
      );
      const width = Math.min(Math.max(longest + 2, 6), column.isName ? 60 : 36);
      return `minmax(${Math.min(width, 14)}ch, ${width}fr)`;
    })
    .join(' ');
}

function ageOf(created: string | undefined, now: number): string {
  return created === undefined ? '' : ageText(now - Date.parse(created));
}
