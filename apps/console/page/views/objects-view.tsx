/** The objects of one kind: live, or as they were. */

import type { ServedResource } from '@listwatch/client';
import { effect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ObjectsAddress } from '../logic/address.ts';
import { errorText } from '../logic/error-text.ts';
import type { RowView } from '../logic/row-order.ts';
import { refusalText, StatusBadge, StatusBanner } from '../parts/status-badge.tsx';
import { TimeBar } from '../parts/time-bar.tsx';
import { sawVersion } from '../state/history-line.ts';
import { type LiveTable, liveTable, type Selection } from '../state/live-table.ts';
import { usePage } from '../state/page.ts';
import { replace } from '../state/route.ts';
import { findKind, servedKinds } from '../state/served-kinds.ts';
import { type PastTableState, usePastTable } from '../state/use-past-table.ts';
import { ObjectsToolbar } from './objects-toolbar.tsx';
import { TableGrid } from './table-grid.tsx';

export function ObjectsView({ address }: { readonly address: ObjectsAddress }): JSX.Element {
  const kind = findKind(address.resource);
  if (kind !== undefined) return <KindObjects key={kindKey(kind)} kind={kind} address={address} />;
  return (
    <div class="view">
      <h1>{address.resource.plural}</h1>
      <p>{servedKinds.value === undefined ? 'Loading …' : 'The server does not serve this kind.'}</p>
    </div>
  );
}

interface KindProps {
  readonly kind: ServedResource;
  readonly address: ObjectsAddress;
}

/** Reads nothing that changes with each frame: what does is below, so that the toolbar is not compared each time. */
function KindObjects({ kind, address }: KindProps): JSX.Element {
  const { namespace, labels, fields, search, sort, descending, at } = address;
  const selection = { namespace, labels, fields };
  const view = { search, sort, descending };
  const { table, problem } = useLiveTable(kind, selection, view);
  const past = usePastTable(kind, selection, at, view, table);
  const isPast = at !== '';
  const columns = (isPast ? past.table?.columns : undefined) ?? table?.columns.value ?? [];
  const failure = problem ?? (isPast ? past.problem : undefined);
  const shown: ShownTable = { live: table, past: isPast ? past : undefined };
  return (
    <div class="view objects-view">
      <div class="view-head">
        <h1>
          {kind.kind} <RowCount {...shown} />
        </h1>
        {isPast ? <span class="status status-past">{past.table?.at === at ? 'as it was' : 'loading'}</span> : null}
        {!isPast && table !== undefined && <StatusBadge status={table.status.value} />}
      </div>
      <ObjectsToolbar kind={kind} address={address} columns={columns} />
      {useMemo(
        () => (
          <TimeBar at={at} onChange={(next) => replace({ ...address, at: next })} />
        ),
        [address],
      )}
      {failure !== undefined && (
        <p class="banner" role="alert">
          {failure}
        </p>
      )}
      {!isPast && table !== undefined && <StatusBanner status={table.status.value} />}
      <ObjectRows {...shown} kind={kind} address={address} columns={columns} hasFailed={failure !== undefined} />
    </div>
  );
}

interface ShownTable {
  readonly live: LiveTable | undefined;
  /** Undefined: now is shown. */
  readonly past: PastTableState | undefined;
}

function RowCount({ live, past }: ShownTable): JSX.Element | null {
  const rows = past === undefined ? live?.rows.value : past.table?.rows;
  if (rows === undefined) return null;
  const { list, total } = rows;
  const isLoading = past === undefined && live?.status.value.phase === 'syncing';
  return (
    <span class="muted count">
      {list.length === total ? total : `${list.length} of ${total}`}
      {isLoading && total > 0 && ' so far'}
    </span>
  );
}

type RowsProps = ShownTable & Omit<Parameters<typeof TableGrid>[0], 'isLoading' | 'rows'>;

function ObjectRows({ live, past, hasFailed, ...rest }: RowsProps): JSX.Element {
  useEffect(() => live && effect(() => sawVersion(live.rows.value.resourceVersion)), [live]);
  const { list } = (past === undefined ? live?.rows.value : past.table?.rows) ?? { list: [] };
  const isLoading = past === undefined ? live?.status.value.phase === 'syncing' : past.table === undefined;
  const isRefused = past === undefined && live !== undefined && refusalText(live.status.value) !== undefined;
  return <TableGrid {...rest} rows={list} isLoading={isLoading} hasFailed={hasFailed || isRefused} />;
}

/** The informer of a selection; a new one for each. */
function useLiveTable(
  kind: ServedResource,
  selection: Selection,
  view: Omit<RowView, 'columns'>,
): { readonly table?: LiveTable; readonly problem?: string } {
  const { cluster } = usePage();
  const [state, setState] = useState<{ readonly table?: LiveTable; readonly problem?: string }>({});
  const { namespace, labels, fields } = selection;
  useEffect(() => {
    try {
      const table = liveTable(cluster, kind, selection, view);
      setState({ table });
      return () => table.close();
    } catch (error) {
      setState({ problem: errorText(error) });
      return undefined;
    }
  }, [cluster, kindKey(kind), namespace, labels, fields]);
  useEffect(() => state.table?.show(view), [state.table, view.search, view.sort, view.descending]);
  return state;
}

function kindKey({ group, version, plural }: ServedResource): string {
  return `${group}/${version}/${plural}`;
}
