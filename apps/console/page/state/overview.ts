/** The overview of the server, followed as a stream. */

import type { OverviewSeries, ServerOverview } from '@listwatch/api/console';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { joinSeries } from '../logic/overview-lines.ts';
import { followLines } from './json-lines.ts';
import { usePage } from './page.ts';

export interface OverviewState {
  readonly overview: ServerOverview | undefined;
  /** The last hour, joined. */
  readonly series: OverviewSeries | undefined;
  /** Why the stream is not open; `''` while it is. */
  readonly problem: string;
}

export function useOverview(): OverviewState {
  const { cluster } = usePage();
  const state = useSignal<OverviewState>({ overview: undefined, series: undefined, problem: '' });
  useEffect(() => {
    const stop = new AbortController();
    void followLines(
      cluster,
      '/debug/overview?watch=true',
      stop.signal,
      (line) => {
        const overview: ServerOverview = JSON.parse(line);
        const series = joinSeries(state.value.series, overview.series);
        state.value = { overview, series, problem: '' };
      },
      (_, problem) => {
        state.value = { ...state.value, problem };
      },
    );
    return () => stop.abort();
  }, [cluster]);
  return state.value;
}
