/** Sums and differences of timestamps and durations. */
import { CelError } from '../values/cel-error.ts';
import { CelDuration, type CelResult, CelTimestamp } from '../values/cel-value.ts';

const SECOND = 1_000_000_000n;
const INT64_LIMIT = 2n ** 63n;

/** Year 1 to year 9999. */
export const MIN_SECONDS = -62_135_596_800;
export const MAX_SECONDS = 253_402_300_799;

const DURATION_OVERFLOW: CelError = new CelError('integer overflow');
/** The error of a timestamp outside the years 1 to 9999. */
export const TIMESTAMP_OVERFLOW: CelError = new CelError('timestamp overflow');

function duration(nanoseconds: bigint): CelDuration | CelError {
  return nanoseconds >= -INT64_LIMIT && nanoseconds < INT64_LIMIT ? new CelDuration(nanoseconds) : DURATION_OVERFLOW;
}

/** The sum of durations. */
export function addDuration(a: CelDuration, b: CelDuration): CelResult {
  return duration(a.nanoseconds + b.nanoseconds);
}

/** The duration with the other sign. */
export function negateDuration(a: CelDuration): CelResult {
  return duration(-a.nanoseconds);
}

/** The timestamp some nanoseconds later. */
export function addToTimestamp(timestamp: CelTimestamp, nanoseconds: bigint): CelResult {
  const total = BigInt(timestamp.seconds) * SECOND + BigInt(timestamp.nanos) + nanoseconds;
  const rest = ((total % SECOND) + SECOND) % SECOND;
  const seconds = Number((total - rest) / SECOND);
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) return TIMESTAMP_OVERFLOW;
  return new CelTimestamp(seconds, Number(rest), timestamp.offset);
}

/** The time between two timestamps. */
export function subtractTimestamps(a: CelTimestamp, b: CelTimestamp): CelResult {
  const difference = BigInt(a.seconds - b.seconds) * SECOND + BigInt(a.nanos - b.nanos);
  return duration(difference);
}
