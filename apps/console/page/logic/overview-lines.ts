/** The last hour of the plots, joined from the lines of the overview's stream. */

import type { OverviewLine, OverviewSeries } from '@listwatch/api/console';

const HOUR_SECONDS = 3600;

/** Adds the points of a later line of the stream; points older than an hour leave. */
export function joinSeries(before: OverviewSeries | undefined, next: OverviewSeries): OverviewSeries {
  if (before === undefined || before.stepSeconds !== next.stepSeconds) return next;
  const last = before.times.at(-1) ?? -Infinity;
  const skipped = next.times.findIndex((time) => time > last);
  const fresh = skipped < 0 ? [] : next.times.slice(skipped);
  if (fresh.length === 0) return before;
  const times = [...before.times, ...fresh];
  const from = Math.max(
    0,
    times.findIndex((time) => time > (times.at(-1) ?? 0) - HOUR_SECONDS),
  );
  const old = new Map(before.lines.map((line) => [lineKey(line), line]));
  const lines = next.lines.map((line) => {
    const values = old.get(lineKey(line))?.values ?? before.times.map(() => null);
    old.delete(lineKey(line));
    return { ...line, values: [...values, ...line.values.slice(skipped)].slice(from) };
  });
  for (const line of old.values()) {
    // Without a request in the last hour it says nothing more.
    const values = [...line.values, ...fresh.map(() => null)].slice(from);
    if (values.some((value) => value !== null)) lines.push({ ...line, values });
  }
  return { stepSeconds: next.stepSeconds, times: times.slice(from), lines };
}

/** Tells lines apart. */
export function lineKey({ metric, labels }: Pick<OverviewLine, 'labels' | 'metric'>): string {
  return labels === undefined ? metric : `${metric} ${labels.verb} ${labels.code}`;
}
