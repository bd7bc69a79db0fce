import { describe, expect, it } from 'vitest';
import { optionDurationMs, optionDurationText } from './option-duration.ts';

describe('a duration', () => {
  it.each(['0s', '1ms', '90s', '1h30m', '24h', '7d', '2d1h'])(
    '%s keeps its meaning when it is written again',
    (text) => {
      const ms = optionDurationMs(text) ?? Number.NaN;
      expect(optionDurationMs(optionDurationText(ms))).toBe(ms);
    },
  );

  it('is written in its largest units, a day in hours', () => {
    expect([5_400_000, 86_400_000, 604_800_000, 1001].map(optionDurationText)).toEqual(['1h30m', '24h', '7d', '1s1ms']);
  });
});

it.each(['', '5', '-1s', '1.s', '1us', 's', '99999999999999d', `${'1'.repeat(100_000)}s`, `${'1s'.repeat(100_000)}!`])(
  '%s is no duration of an option',
  (text) => {
    expect(optionDurationMs(text)).toBeUndefined();
  },
);
