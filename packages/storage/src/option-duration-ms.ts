/** Durations of the options of a store. */

import { optionDurationMs } from '@listwatch/api/values';

/** Milliseconds, or a number with a unit: `'500ms'`, `'90s'`, `'5m'`, `'24h'`, `'7d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** The duration in milliseconds. Throws a `RangeError` that names the option when it is not one, or is negative. */
export function durationMs(duration: Duration, option: string): number {
  const given = String(duration);
  const text = /[a-z]$/.test(given) ? given : `${given}ms`;
  const ms = /^[\d.]+[a-z]+$/.test(text) ? optionDurationMs(text) : undefined;
  if (ms !== undefined) return ms;
  throw new RangeError(
    `${option} must be milliseconds or a number with ms, s, m, h or d, got ${JSON.stringify(duration)}`,
  );
}
