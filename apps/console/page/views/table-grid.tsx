/** The table itself: only the rows on the screen are in the document. */

import type { ServedResource } from '@listwatch/client';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { type ObjectsAddress, type ObjectTab, objectAddress } from '../logic/address.ts';
import type { ShownRow } from '../logic/row-order.ts';
import { CELL_CHARS, shortText } from '../logic/short-text.ts';
import type { TableColumn } from '../logic/table-rows.ts';
import { timeOf } from '../logic/time-line.ts';
import { useKeys } from '../parts/keys.ts';
import { useVirtual } from '../parts/use-virtual.ts';
import { now } from '../state/clock.ts';
import { historyLine } from '../state/history-line.ts';
import { go, href, replace } from '../state/route.ts';
import { columnTracks, type ShownColumn, shownColumns } from './table-columns.ts';

const ROW_HEIGHT = 28;

interface GridProps {
  readonly kind: ServedResource;
  readonly address: ObjectsAddress;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly ShownRow[];
  readonly isLoading: boolean;
  /** The reason is shown above; that there are no rows says nothing then. */
  readonly hasFailed: boolean;
}

export function TableGrid({ kind, address, columns, rows, isLoading, hasFailed }: GridProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  // A signal: of two keys in quick succession the second must see what the first has done.
  const selection = useSignal('');
  const selectedKey = selection.value;
  const select = (key: string): void => {
    selection.value = key;
  };
  const selectedIndex = (): number => rows.findIndex(({ key }) => key === selection.peek());
  const { items, height, scrollTo } = useVirtual(box, rows.length, ROW_HEIGHT);
  const withNamespace = kind.namespaced && address.namespace === '';
  const shown = useMemo(
    () => shownColumns(columns, address.columns, withNamespace),
    [columns, address.columns.join(','), withNamespace],
  );
  // Measured when columns or the number of rows change, so that cells do not jump while values change.
  const tracks = useMemo(() => columnTracks(shown, rows, Date.now()), [shown, Math.min(rows.length, 100)]);
  const move = (by: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, selectedIndex() + by));
    const row = rows[next];
    if (row === undefined) return;
    select(row.key);
    scrollTo(next);
    box.current?.focus();
  };
  const open = (tab: ObjectTab): void => {
    const row = rows[selectedIndex()];
    if (row !== undefined) go(objectAddress(kind, row.object.metadata, { tab, at: address.at }));
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(20),
    PageUp: () => move(-20),
    Home: () => move(-rows.length),
    End: () => move(rows.length),
    Enter: () => open('yaml'),
    y: () => open('yaml'),
    d: () => open('versions'),
  });
  const style = { gridTemplateColumns: tracks };
  const time = address.at === '' ? now.value : (timeAt(address.at) ?? now.value);
  const selectedItem = items.find(({ index }) => rows[index]?.key === selectedKey);
  const selectedId = selectedItem && rowId(rows[selectedItem.index]);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      data-main-focus
      tabIndex={0}
      aria-label={kind.kind}
      aria-rowcount={rows.length + 1}
      aria-colcount={shown.length}
      aria-busy={isLoading}
      aria-activedescendant={selectedId}
    >
      <div class="grid-head" role="row" aria-rowindex={1} style={style}>
        {shown.map((column) => (
          <HeadCell key={column.key} column={column} address={address} />
        ))}
      </div>
      <div class="virtual" role="rowgroup" style={{ height: `${height}px` }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={row.key}
                id={rowId(row)}
                class={rowClass(row, row.key === selectedKey)}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={row.key === selectedKey}
                style={{ ...style, transform: `translateY(${start}px)` }}
                onClick={() => select(row.key)}
                onDblClick={() => go(objectAddress(kind, row.object.metadata, { at: address.at }))}
              >
                <RowCells kind={kind} row={row} columns={shown} at={address.at} time={time} />
              </div>
            )
          );
        })}
      </div>
      {rows.length === 0 && !hasFailed && <p class="empty">{isLoading ? 'Loading …' : emptyText(address)}</p>}
    </div>
  );
}

interface CellsProps {
  readonly kind: ServedResource;
  readonly row: ShownRow;
  readonly columns: readonly ShownColumn[];
  readonly at: string;
  /** What ages are counted to. */
  readonly time: number;
}

function RowCells({ kind, row, columns, at, time }: CellsProps): JSX.Element {
  // The same elements as long as nothing of the row has changed: then there is nothing to compare with the document.
  return useMemo(
    () => <Cells kind={kind} row={row} columns={columns} at={at} time={time} />,
    [kind, row, columns, at, time],
  );
}

function Cells({ kind, row, columns, at, time }: CellsProps): JSX.Element {
  return (
    <>
      {columns.map((column) => {
        const text = shortText(column.text(row, time), CELL_CHARS);
        return (
          <span key={column.key} role="gridcell" class={`cell ${wordClass(text)}`} title={text}>
            {column.isName ? (
              <a tabIndex={-1} href={href(objectAddress(kind, row.object.metadata, { at }))}>
                {text}
              </a>
            ) : (
              text
            )}
          </span>
        );
      })}
    </>
  );
}

function HeadCell({
  column,
  address,
}: {
  readonly column: ShownColumn;
  readonly address: ObjectsAddress;
}): JSX.Element {
  const isSorted = address.sort === column.name;
  const sort = (): void =>
    isSorted && address.descending
      ? replace({ ...address, sort: '', descending: false })
      : replace({ ...address, sort: column.name, descending: isSorted });
  const mark = address.descending ? ' ▼' : ' ▲';
  return (
    <span role="columnheader" aria-sort={isSorted ? (address.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" class="head-cell" title={column.description} onClick={sort}>
        {column.name}
        {isSorted && <span aria-hidden="true">{mark}</span>}
      </button>
    </span>
  );
}

function timeAt(at: string): number | undefined {
  const line = historyLine.value;
  return line && timeOf(line, Number(at));
}

function rowId(row: ShownRow | undefined): string | undefined {
  return row && `row-${row.object.metadata.uid ?? row.key}`;
}

/** Two classes take turns, so that each change starts the highlight anew. */
function rowClass({ changes, object }: ShownRow, isSelected: boolean): string {
  const flash = changes === 0 ? '' : changes % 2 === 0 ? ' flash-even' : ' flash-odd';
  const going = object.metadata.deletionTimestamp === undefined ? '' : ' row-going';
  return `grid-row${isSelected ? ' row-selected' : ''}${flash}${going}`;
}

const BAD =
  /^(?:Error|Failed|CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled|Evicted|NotReady|Lost|False|Unknown)$/u;
const WAITING = /^(?:Pending|Terminating|ContainerCreating|Init:.*|Released)$/u;

function wordClass(text: string): string {
  return BAD.test(text) ? 'word-bad' : WAITING.test(text) ? 'word-waiting' : '';
}

function emptyText({ labels, fields, search, namespace }: ObjectsAddress): string {
  if (search !== '') return 'No object matches the search.';
  if (labels !== '' || fields !== '') return 'No object matches the selectors.';
  return namespace === '' ? 'There are no objects of this kind.' : `There are no objects of this kind in ${namespace}.`;
}
