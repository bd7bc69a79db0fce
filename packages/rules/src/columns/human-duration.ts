/** Ages as tables print them: `5s`, `3d`. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The time since an RFC 3339 timestamp, such as `5s`, `2m30s` or `3d`; `<unknown>` without one. */
export function ageOf(timestamp: unknown, now: number): string {
  const then = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}

/** A duration in milliseconds as text; larger durations are shown in coarser units. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  // The clocks of two machines differ: a second in the future counts as now.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return two(seconds, MINUTE, 'm', 1, 's');
  if (seconds < 3 * HOUR) return `${whole(seconds, MINUTE)}m`;
  if (seconds < 8 * HOUR) return two(seconds, HOUR, 'h', MINUTE, 'm');
  if (seconds < 2 * DAY) return `${whole(seconds, HOUR)}h`;
  if (seconds < 8 * DAY) return two(seconds, DAY, 'd', HOUR, 'h');
  if (seconds < 2 * YEAR) return `${whole(seconds, DAY)}d`;
  if (seconds < 8 * YEAR) return two(seconds, YEAR, 'y', DAY, 'd');
  return `${whole(seconds, YEAR)}y`;
}

function two(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = whole(seconds % large, small);
  return `${whole(seconds, large)}${largeUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

function whole(seconds: number, unit: number): number {
  return Math.trunc(seconds / unit);
}
