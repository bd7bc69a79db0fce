import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration-text.ts';

describe('a duration', () => {
  it.each(['0s', '1ms', '90s', '1h30m', '24h', '7d', '2d1h'])(
    '%s keeps its meaning when it is written again',
    (text) => {
      const ms = parseDuration(text) ?? Number.NaN;
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    },
  );

  it('is written in its largest units, a day in hours', () => {
    expect([5_400_000, 86_400_000, 604_800_000, 1001].map(formatDuration)).toEqual(['1h30m', '24h', '7d', '1s1ms']);
  });
});
