import { expect, it } from 'vitest';
import { type Duration, durationMs } from './option-duration-ms.ts';

it('durations are milliseconds or numbers with a unit', () => {
  const cases: readonly [Duration, number][] = [
    [0, 0],
    [1500, 1500],
    ['500ms', 500],
    ['90s', 90_000],
    ['1.5m', 90_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ];
  for (const [duration, ms] of cases) expect(durationMs(duration, 'age')).toBe(ms);
});

it('anything else is a RangeError that names the option and what was given', () => {
  for (const bad of ['5min', '', 'h', '-1s', '1h30m', '1e3s', -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    // @ts-expect-error most of these are no durations for the compiler either
    expect(() => durationMs(bad, 'history.age')).toThrow(/^history\.age must be .* got /);
  }
});
