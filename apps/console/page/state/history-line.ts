/** The range of versions that the page can go back to. */

import type { ConsoleSession, HistoryTimeline } from '@listwatch/api/console';
import type { Cluster } from '@listwatch/client';
import { type Signal, signal } from '@preact/signals';
import { joinTimeLines, type TimeLine, timeLineOf, withNewest } from '../logic/time-line.ts';
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
    historyLine.value = joinTimeLines(historyLine.value, timeLineOf(timeline));
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
