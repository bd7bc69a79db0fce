/** Durations as Go reads and writes them, `1h30m`: those of `metav1.Duration` and of query parameters. */

import { quoteCut } from '../status/bounded-text.ts';
import { ListWatchError } from '../status/listwatch-error.ts';

/** A text that is no duration. The message is Go's. */
export class DurationError extends ListWatchError {
  override readonly code = 'DURATION' as const;
}

const UNIT_NANOS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** The longest text that is read, and shown in messages. Go has no limit. */
const MAX_LENGTH = 1024;
/** Go counts nanoseconds in 64 bits: 292 years. */
const LIMIT = 0x8000_0000_0000_0000n;
/** Numbers of this many digits fit in 64 bits. */
const DIGITS_MAX = 19;
const PART = /(\d*)(\.\d*)?([^\d.]*)/y;

/** The nanoseconds of a text such as `1.5h` or `-1m30s`. Throws a `DurationError` for other text. */
export function parseDuration(text: string): bigint {
  const nanos = read(text);
  if (typeof nanos === 'string') throw new DurationError(nanos);
  return nanos;
}

/** The nanoseconds of a text; undefined if it is no duration. */
export function durationNanos(text: string): bigint | undefined {
  const nanos = read(text);
  return typeof nanos === 'string' ? undefined : nanos;
}

/** Why a text is no duration, in the words of Go; undefined if it is one. */
export function durationProblem(text: string): string | undefined {
  const nanos = read(text);
  return typeof nanos === 'string' ? nanos : undefined;
}

/** The duration as Go writes it: `1h30m0s`, `1.5ms`. */
export function durationText(nanos: bigint): string {
  if (nanos < 0n) return `-${durationText(-nanos)}`;
  if (nanos === 0n) return '0s';
  if (nanos < 1000n) return `${nanos}ns`;
  if (nanos < 1_000_000n) return `${decimal(nanos, 3)}µs`;
  if (nanos < 1_000_000_000n) return `${decimal(nanos, 6)}ms`;
  const minutes = nanos / 60_000_000_000n;
  const seconds = `${decimal(nanos % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** The text as Go would write the same duration. Text that is no duration stays. */
export function canonicalDuration(text: string): string {
  const nanos = durationNanos(text);
  return nanos === undefined ? text : durationText(nanos);
}

/** The nanoseconds, or what is wrong with the text. */
function read(text: string): bigint | string {
  const isNegative = text.startsWith('-');
  const start = isNegative || text.startsWith('+') ? 1 : 0;
  if (text.length === start + 1 && text.endsWith('0')) return 0n;
  if (text.length === start || text.length > MAX_LENGTH) return invalid(text);
  let total = 0n;
  for (PART.lastIndex = start; PART.lastIndex < text.length; ) {
    const [, integer = '', fraction = '', unit = ''] = PART.exec(text) ?? [];
    const whole = integer.replace(/^0+/, '');
    if (integer === '' && fraction.length < 2) return invalid(text);
    if (whole.length > DIGITS_MAX || BigInt(whole) > LIMIT) return invalid(text);
    if (unit === '') return `time: missing unit in duration ${quoted(text)}`;
    const nanos = UNIT_NANOS.get(unit);
    if (nanos === undefined) return `time: unknown unit ${quoted(unit)} in duration ${quoted(text)}`;
    total += BigInt(whole) * nanos + fractionNanos(fraction, nanos);
    if (total > LIMIT) return invalid(text);
  }
  if (isNegative) return -total;
  return total === LIMIT ? invalid(text) : total;
}

/** The fraction `.5` of a unit. Go reads the digits that fit 64 bits and multiplies as doubles. */
function fractionNanos(fraction: string, unit: bigint): bigint {
  if (fraction.length < 2) return 0n;
  let digits = fraction.slice(1, DIGITS_MAX + 1);
  if (BigInt(digits) > LIMIT) digits = digits.slice(0, -1);
  // The scale has a factor for each digit, so that it is rounded as often as Go's.
  let scale = 1;
  for (let count = digits.length; count > 0; count -= 1) scale *= 10;
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}

/** The amount in a unit of `10^places`, without zeros at its end. */
function decimal(nanos: bigint, places: number): string {
  const digits = String(nanos).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return `${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}

function invalid(text: string): string {
  return `time: invalid duration ${quoted(text)}`;
}

/** As Go's package `time` quotes: bytes beyond ASCII are escaped. */
function quoted(text: string): string {
  if (text.length > MAX_LENGTH) return quoteCut(text, MAX_LENGTH);
  const escaped = text
    .replace(/["\\]/g, '\\$&')
    .replace(/[^ -\x7f]+/g, (part) =>
      Array.from(new TextEncoder().encode(part), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    );
  return `"${escaped}"`;
}
