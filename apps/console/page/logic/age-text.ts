/** Ages and times as text. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration as kubectl prints ages: two units where one would be too coarse. */
export function ageText(ms: number): string {
  if (!Number.isFinite(ms)) return '<unknown>';
  if (ms < 0) return '0s';
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < 10 * MINUTE) return twoUnits(ms, MINUTE, 'm', SECOND, 's');
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < 8 * HOUR) return twoUnits(ms, HOUR, 'h', MINUTE, 'm');
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 8 * DAY) return twoUnits(ms, DAY, 'd', HOUR, 'h');
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`;
  if (ms < 8 * YEAR) return twoUnits(ms, YEAR, 'y', DAY, 'd');
  return `${Math.floor(ms / YEAR)}y`;
}

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}

/** Made once: a formatter costs a hundred times as much as what it formats. */
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' });

/** `12:34:56` of today, else with the date. */
export function timeText(ms: number, now: number = Date.now()): string {
  const time = new Date(ms);
  const clock = clockText(ms);
  return time.toDateString() === new Date(now).toDateString() ? clock : `${time.toLocaleDateString()} ${clock}`;
}

/** `12:34:56` */
export function clockText(ms: number): string {
  return CLOCK.format(ms);
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `4.2 MiB` */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** A rate or a count with three digits at most. */
export function numberText(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) >= 1e6) return `${(value / 1e6).toPrecision(3)}M`;
  if (Math.abs(value) >= 1e4) return `${(value / 1e3).toPrecision(3)}k`;
  return Math.abs(value) >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(2);
}

/** Seconds as `0.8 ms` or `1.2 s`. */
export function secondsText(seconds: number): string {
  if (seconds < 1) return `${numberText(seconds * 1000)} ms`;
  return `${numberText(seconds)} s`;
}
