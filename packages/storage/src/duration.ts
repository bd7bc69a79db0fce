/** Durations as people write them. */

const UNITS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Milliseconds, or a number with a unit: `'500ms'`, `'90s'`, `'5m'`, `'24h'`, `'7d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** The duration in milliseconds. Throws a `RangeError` that names the option when it is not one, or is negative. */
export function durationMs(duration: Duration, option: string): number {
  const [, amount, unit = 'ms'] = /^(\d+(?:\.\d+)?)([a-z]+)?$/.exec(String(duration)) ?? [];
  const factor = UNITS.get(unit);
  if (amount === undefined || factor === undefined) {
    throw new RangeError(
      `${option} must be milliseconds or a number with ms, s, m, h or d, got ${JSON.stringify(duration)}`,
    );
  }
  return Number(amount) * factor;
}
