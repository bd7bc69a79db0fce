/** Texts whose format makes them bytes, timestamps or durations. A text that is not valid becomes null. */

import { CelDuration, CelTimestamp, type CelValue } from '@listwatch/cel';
import { parseGoDuration, parseTimestamp } from '@listwatch/cel/internal';
/** Base64, with either alphabet. */
export function decodedBytes(text: string): CelValue {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
  } catch {
    return null;
  }
}

/** A day: its first second in UTC. */
export function parsedDate(text: string): CelValue {
  return parseTimestamp(`${text}T00:00:00Z`) ?? null;
}

/** A time of RFC 3339, or one without a zone; an empty text is 1970. */
export function parsedTime(text: string): CelValue {
  if (text === '') return new CelTimestamp(0, 0);
  return parseTimestamp(text) ?? parseTimestamp(`${text}Z`) ?? null;
}

const UNITS: readonly (readonly [names: readonly string[], nanoseconds: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'week', 'wk'], 604_800_000_000_000n],
];

/** A duration of Go, or words such as `3 days`. */
export function parsedDuration(text: string): CelValue {
  const nanoseconds = parseGoDuration(text) ?? wordedDuration(text);
  return nanoseconds === undefined ? null : new CelDuration(BigInt.asIntN(64, nanoseconds));
}

function wordedDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  // From the first digit of a number only: otherwise each digit of a long number is a start.
  for (const [, count = '0', word = ''] of text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = word.toLowerCase();
    const found = UNITS.find(([names]) =>
      names.some((name, index) => name === unit || (index === names.length - 1 && unit.startsWith(name))),
    );
    if (found !== undefined) total = (total ?? 0n) + BigInt(count) * found[1];
  }
  return total;
}
