/** The range of versions that the page can go back to. */

import type { ConsoleSession, HistoryTimeline } from '@listwatch/api/console';
import type { Cluster } from '@listwatch/client';
import { type Signal, signal } from '@preact/signals';
import { joinTimeLines, type KnownPoint, type TimeLine, timeLineOf, withNewest } from '../logic/time-line.ts';
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

/** A busy table shows new versions with each frame; the slider need not move as often. */
const SEEN_MS = 200;
let seen: KnownPoint | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A version that some watch of the page has seen. */
export function sawVersion(resourceVersion: string): void {
  const version = Number(resourceVersion);
  if (!Number.isFinite(version) || version <= (seen?.version ?? 0)) return;
  seen = { version, time: Date.now() };
  if (historyLine.peek() === undefined) takeSeen();
  else timer ??= setTimeout(takeSeen, SEEN_MS);
}

/** The line with everything that has been seen. */
export function newestLine(): TimeLine | undefined {
  takeSeen();
  return historyLine.value;
}

function takeSeen(): void {
  clearTimeout(timer);
  timer = undefined;
  if (seen === undefined) return;
  const line = historyLine.peek();
  const { version, time } = seen;
  if (line === undefined) historyLine.value = { oldest: version, newest: version, points: [seen] };
  else historyLine.value = withNewest(line, version, time);
}
