/** Durations as Go writes them: `1h30m0s`. */

import { quoteCut } from '@listwatch/api/internal';

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Longer text is no duration: to read thousands of digits takes time. */
const MAX_LENGTH = 256;
const DURATION = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g;
const MAX_NANOS = 2n ** 63n;

/** Why a text is no duration, in the words of Go; undefined if it is one. */
export function durationProblem(text: string): string | undefined {
  return durationNanos(text) === undefined ? `time: invalid duration ${quoteCut(text, 1024)}` : undefined;
}

/** The duration as Go writes it. Text that is no duration stays as it is. */
export function canonicalDuration(text: string): string {
  const nanos = durationNanos(text);
  if (nanos === undefined) return text;
  return nanos < 0n ? `-${written(-nanos)}` : written(nanos);
}

/** The nanoseconds of a text; undefined if it is no duration. */
export function durationNanos(text: string): bigint | undefined {
  if (text === '0' || text === '+0' || text === '-0') return 0n;
  if (text.length > MAX_LENGTH || !DURATION.test(text)) return undefined;
  let nanos = 0n;
  for (const [, integer = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const scale = UNITS[unit] ?? 1n;
    nanos += BigInt(integer || '0') * scale + (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  if (nanos >= MAX_NANOS) return undefined;
  return text.startsWith('-') ? -nanos : nanos;
}

function written(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  if (nanos < 1000n) return `${nanos}ns`;
  if (nanos < 1_000_000n) return `${decimal(nanos, 1000n)}µs`;
  if (nanos < 1_000_000_000n) return `${decimal(nanos, 1_000_000n)}ms`;
  const minutes = nanos / 60_000_000_000n;
  const seconds = `${decimal(nanos % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** The amount in a unit, without zeros at its end. */
function decimal(nanos: bigint, unit: bigint): string {
  const fraction = String(nanos % unit)
    .padStart(String(unit).length - 1, '0')
    .replace(/0+$/, '');
  return `${nanos / unit}${fraction === '' ? '' : `.${fraction}`}`;
}
