/** Dates, times and durations as Go reads them. */

import { durationNanos } from '@listwatch/api/values';

const SHORT_TEXT_MAX = 256;
const INT64_MAX = 2n ** 63n - 1n;

/** `2006-01-02`, a day that exists. */
export function isDateText(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

/** RFC 3339. Seconds end at 59, and any character may stand before the fraction. */
export function isDateTimeText(text: string): boolean {
  if (text.length > SHORT_TEXT_MAX) return false;
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDateText(date)) return false;
  const match = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|([+-]\d{2}:\d{2}))$/.exec(time);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

const UNITS: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

/** A duration of Go (`1h30m`), or text with a number and a unit in it (`22 days`). */
export function isDurationText(text: string): boolean {
  if (text.length > SHORT_TEXT_MAX) return false;
  if (durationNanos(text) !== undefined) return true;
  let isFound = false;
  for (const [, , digits = '', unit = ''] of text.matchAll(/((\d+)\s*([A-Za-zµ]+))/g)) {
    if (BigInt(digits) > INT64_MAX) return false;
    isFound ||= UNITS.some((names) => isUnit(unit.toLowerCase(), names));
  }
  return isFound;
}

/** The last name of a unit may be followed by anything: `days`. */
function isUnit(text: string, names: readonly string[]): boolean {
  return names.some((name, index) => text === name || (index === names.length - 1 && text.startsWith(name)));
}
