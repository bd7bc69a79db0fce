/** Durations as Go writes them (`1m30s`), for the query parameters that carry one. */
import { quote } from '@listwatch/api';

/** A text that is no duration; the message is Go's. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Go counts nanoseconds in 64 bits, about 292 years. */
const LONGEST_MS = 2 ** 63 / 1e6;

/** Reads a duration, in milliseconds. Throws a `DurationError`. */
export function parseGoDuration(text: string): number {
  const invalid = new DurationError(`time: invalid duration ${quote(text)}`);
  const [, sign, rest = ''] = /^([+-]?)(.*)$/su.exec(text) ?? [];
  if (rest === '0') return 0;
  if (rest === '') throw invalid;
  let total = 0;
  for (let at = 0; at < rest.length; ) {
    const part = /(\d*)(\.\d*)?([^\d.]*)/uy;
    part.lastIndex = at;
    const [whole = '', integer = '', fraction = '', unit = ''] = part.exec(rest) ?? [];
    if (integer === '' && (fraction === '' || fraction === '.')) throw invalid;
    if (unit === '') throw new DurationError(`time: missing unit in duration ${quote(text)}`);
    const factor = Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit] : undefined;
    if (factor === undefined) throw new DurationError(`time: unknown unit ${quote(unit)} in duration ${quote(text)}`);
    total += Number(`${integer || '0'}${fraction === '.' ? '' : fraction}`) * factor;
    if (total > LONGEST_MS) throw invalid;
    at += whole.length;
  }
  return sign === '-' ? -total : total;
}
