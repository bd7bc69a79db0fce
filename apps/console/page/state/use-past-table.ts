/** The table of a version, read when the slider stands still. */

import type { ServedResource } from '@listwatch/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../logic/error-text.ts';
import type { RowView } from '../logic/row-order.ts';
import type { LiveTable, Selection } from './live-table.ts';
import { usePage } from './page.ts';
import { type PastTable, readPastTable, reorderPastTable } from './past-table.ts';

/** A slider that is dragged passes many versions; only where it stays is read. */
const SETTLE_MS = 60;

export interface PastTableState {
  /** The last that was read: while the next loads, it stays. */
  readonly table?: PastTable | undefined;
  readonly problem?: string | undefined;
}

export function usePastTable(
  kind: ServedResource,
  selection: Selection,
  at: string,
  view: Omit<RowView, 'columns'>,
  live: LiveTable | undefined,
): PastTableState {
  const { cluster } = usePage();
  const [state, setState] = useState<PastTableState>({});
  const { namespace, labels, fields } = selection;
  const latestView = useRef(view);
  latestView.current = view;
  useEffect(() => {
    if (at === '') {
      setState({});
      return undefined;
    }
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      try {
        const table = await readPastTable(cluster, kind, selection, at, view, stop.signal);
        // The search may have changed while the rows came.
        setState({ table: await reorderPastTable(table, latestView.current, stop.signal) });
      } catch (error) {
        if (stop.signal.aborted) return;
        const remembered = live?.remembered(at, latestView.current);
        if (remembered === undefined) setState({ problem: problemText(at, error) });
        else setState({ table: remembered });
      }
    };
    const timer = setTimeout(() => void read(), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [cluster, kind.group, kind.version, kind.plural, namespace, labels, fields, at]);
  useEffect(() => {
    const { table } = state;
    if (table === undefined) return undefined;
    const stop = new AbortController();
    // A newer order takes the place of one that is under way.
    reorderPastTable(table, view, stop.signal).then(
      (next) => setState((now) => (now.table?.sorted === table.sorted ? { table: next } : now)),
      () => {},
    );
    return () => stop.abort();
  }, [view.search, view.sort, view.descending]);
  return state;
}

function problemText(at: string, error: unknown): string {
  return `Version ${at} cannot be read: ${errorText(error)}`;
}
