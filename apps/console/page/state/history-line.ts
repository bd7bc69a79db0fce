/** The range of versions that the page can go back to. */

import type { ConsoleSession, HistoryTimeline } from '@listwatch/api/console';
import type { Cluster } from '@listwatch/client';
import { type Signal, signal } from '@preact/signals';
import { type TimeLine, timeLineOf, withNewest } from '../logic/time-line.ts';
import { followLines } from './json-lines.ts';

/** Undefined until something is known. */
export const historyLine: Signal<TimeLine | undefined> = signal(undefined);

/** Does the server tell its history? If not, time begins when the page was opened. */
export const hasServerHistory: Signal<boolean> = signal(false);

/** Follows the server's own history, where there is one. */
export async function followHistory(cluster: Cluster, session: ConsoleSession, stop: AbortSignal): Promise<void> {
  if (!session.debug) return;
  await followLines(cluster, '/debug/history?watch=true', stop, (text) => {
    const timeline: HistoryTimeline = JSON.parse(text);
    hasServerHistory.value = true;
    const next = timeLineOf(timeline);
    const known = historyLine.value;
    // Later lines have only new points.
    const points =
      known === undefined ? [] : known.points.filter(({ version }) => version < (next.points[0]?.version ?? 0));
    historyLine.value = { ...next, points: [...points, ...next.points].slice(-2000) };
  });
}

/** A version that some watch of the page has seen. */
export function sawVersion(resourceVersion: string): void {
  const version = Number(resourceVersion);
  if (!Number.isFinite(version) || version <= 0) return;
  const line = historyLine.value;
  const time = Date.now();
  historyLine.value =
    line === undefined
      ? { oldest: version, newest: version, points: [{ version, time }] }
      : withNewest(line, version, time);
}
