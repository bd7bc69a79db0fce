/** Numbers, durations and timestamps as Go's standard library reads and writes them. */
import { CelTimestamp } from '../values/cel-value.ts';

/** Go's `%g`: the shortest text, with an exponent from a million or below 0.0001. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) {
    const digits = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  return plainDecimal(value);
}

/** Go's `FormatFloat(value, 'f', -1, 64)`: the shortest text without an exponent. */
export function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const negative = mantissa.startsWith('-');
  const digits = mantissa.replace('-', '').replace('.', '');
  const exponent = Number(exponentText);
  const body = exponent < 0 ? `0.${'0'.repeat(-exponent - 1)}${digits}` : digits.padEnd(exponent + 1, '0');
  return negative ? `-${body}` : body;
}

/** Digits may be read in one way only: with two ways a text of 8 KB that is no number takes 50 ms. */
const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?$/u;
const HEXADECIMAL =
  /^(?<sign>[+-]?)0[xX](?<whole>[\da-fA-F]*)(?:\.(?<fraction>[\da-fA-F]*))?[pP](?<exponent>[+-]?\d{1,5})$/u;

/** Go's `ParseFloat`; `undefined` when it is no number. */
export function parseDouble(text: string): number | undefined {
  if (DECIMAL.test(text)) {
    const value = Number(text.replaceAll('_', ''));
    return Number.isFinite(value) ? value : undefined;
  }
  const hexadecimal = HEXADECIMAL.exec(text)?.groups;
  if (hexadecimal !== undefined) {
    const { sign, whole = '', fraction = '', exponent } = hexadecimal;
    if (whole + fraction === '') return undefined;
    const value = Number.parseInt(whole + fraction, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
    return Number.isFinite(value) ? (sign === '-' ? -value : value) : undefined;
  }
  const special = /^(?<sign>[+-]?)(?:inf|infinity)$/iu.exec(text);
  if (special !== null) return special.groups?.['sign'] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^nan$/iu.test(text) ? Number.NaN : undefined;
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const PART = /(?<whole>\d*)(?:\.(?<fraction>\d*))?(?<unit>[^\d.]+)/uy;
const DURATION_LIMIT = 2n ** 63n;

/**
 * Go's `time.ParseDuration` in nanoseconds; `undefined` when it is no duration. A copy of the one in api/values, without its
 * messages: the package imports no other. A test of packages/schema holds that both agree.
 */
export function parseGoDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '' || body.length > 1000) return undefined;
  let total = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < body.length) {
    const { whole = '', fraction = '', unit = '' } = PART.exec(body)?.groups ?? {};
    const scale = UNITS[unit];
    if (scale === undefined || (whole === '' && fraction === '')) return undefined;
    total += BigInt(whole === '' ? '0' : whole) * scale + fractionOf(fraction, scale);
    if (total > DURATION_LIMIT) return undefined;
  }
  if (negative) return -total;
  return total === DURATION_LIMIT ? undefined : total;
}

/** Go reads digits while they fit an int64, computes the fraction as a double, and cuts it off. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (next > DURATION_LIMIT) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** A duration as CEL writes it: seconds, `1.5s`. */
export function durationSecondsText(nanoseconds: bigint): string {
  return `${plainDecimal(Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9)}s`;
}

const RFC3339 =
  /^(?<date>\d{4}-\d\d-\d\d)T(?<hour>\d{1,2}):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d+))?(?:Z|(?<sign>[+-])(?<offsetHour>\d\d):(?<offsetMinute>\d\d))$/u;

/** Go's `time.Parse(time.RFC3339, ..)`; `undefined` when it is no timestamp. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const groups = RFC3339.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { date = '', hour = '', minute = '', second = '', fraction = '', sign, offsetHour, offsetMinute } = groups;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour ?? 0) > 24 || Number(offsetMinute ?? 0) > 59) return undefined;
  const size = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  const offset = sign === '-' ? -size : size;
  const seconds =
    daysSinceEpoch(year, month, day) * 86_400 +
    Number(hour) * 3600 +
    Number(minute) * 60 +
    Number(second) -
    offset * 60;
  return new CelTimestamp(seconds, Number(fraction.slice(0, 9).padEnd(9, '0')), offset + 0);
}

/** Go's `time.RFC3339Nano`. */
export function formatTimestamp({ seconds, nanos, offset }: CelTimestamp): string {
  const { year, month, day, hour, minute, second } = dateParts(seconds + offset * 60);
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/u, '')}`;
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}${fraction}${zone(offset)}`;
}

function zone(offset: number): string {
  if (offset === 0) return 'Z';
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** A date of the Gregorian calendar. */
export interface DateParts {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 is the first of January. */
  readonly dayOfYear: number;
}

/** The date of seconds since 1970. */
export function dateParts(seconds: number): DateParts {
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  // `Date` has the proleptic Gregorian calendar too, and is exact for days.
  const date = new Date(days * 86_400_000);
  const year = date.getUTCFullYear();
  return {
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: date.getUTCDay(),
    dayOfYear: days - daysSinceEpoch(year, 1, 1),
  };
}

function daysSinceEpoch(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / 86_400_000);
}

function daysIn(year: number, month: number): number {
  return (
    daysSinceEpoch(month === 12 ? year + 1 : year, month === 12 ? 1 : month + 1, 1) - daysSinceEpoch(year, month, 1)
  );
}
