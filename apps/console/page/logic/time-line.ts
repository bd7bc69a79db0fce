/** Versions and their times: which time a version is from, and which version a time had. */

import type { HistoryPoint, HistoryTimeline } from '@listwatch/api/console';

/** A version and its time, milliseconds since 1970. */
export interface KnownPoint {
  readonly version: number;
  readonly time: number;
}

/** The range of a slider, with times where they are known. */
export interface TimeLine {
  readonly oldest: number;
  readonly newest: number;
  readonly points: readonly KnownPoint[];
}

/** Versions of all servers that count are far below 2^53. */
export function timeLineOf({ oldest, newest, points }: HistoryTimeline): TimeLine {
  const known = [oldest, ...points, newest].flatMap(knownPoint);
  const ascending = known
    .toSorted((a, b) => a.version - b.version)
    .filter((point, index, all) => index === 0 || point.version > (all[index - 1]?.version ?? 0));
  return { oldest: Number(oldest.resourceVersion), newest: Number(newest.resourceVersion), points: ascending };
}

/** So many points with their times are enough for any slider. */
const MAX_POINTS = 2000;

/** Adds a later line of the stream, which has only new points. Points before its oldest version leave. */
export function joinTimeLines(before: TimeLine | undefined, next: TimeLine): TimeLine {
  const times = new Map((before?.points ?? []).map(({ version, time }) => [version, time]));
  for (const { version, time } of next.points) times.set(version, time);
  const points = [...times]
    .filter(([version]) => version >= next.oldest)
    .toSorted(([a], [b]) => a - b)
    .map(([version, time]) => ({ version, time }));
  // Every second one says as much; the first and the last stay.
  const kept =
    points.length <= MAX_POINTS ? points : points.filter((_, index) => index % 2 === 0 || index === points.length - 1);
  return { ...next, points: kept };
}

/** The line of a cluster without our history: from when the page was opened. */
export function withNewest(line: TimeLine, version: number, time: number): TimeLine {
  if (version <= line.newest) return line;
  return { ...line, newest: version, points: [...line.points, { version, time }].slice(-1000) };
}

/** When a version was made, as far as is known. */
export function timeOf({ points }: TimeLine, version: number): number | undefined {
  const after = points.findIndex((point) => point.version >= version);
  const next = points[after];
  if (next?.version === version) return next.time;
  const before = points[after - 1];
  if (next === undefined || before === undefined) return undefined;
  const share = (version - before.version) / (next.version - before.version);
  return before.time + share * (next.time - before.time);
}

function knownPoint({ resourceVersion, at }: HistoryPoint): readonly KnownPoint[] {
  const [version, time] = [Number(resourceVersion), Date.parse(at ?? '')];
  return Number.isFinite(version) && Number.isFinite(time) ? [{ version, time }] : [];
}
