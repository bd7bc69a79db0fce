import { describe, expect, it } from 'vitest';
import { canonicalDuration, durationProblem } from './canonical-duration.ts';

describe('a duration', () => {
  it.each([
    ['90m', '1h30m0s'],
    ['1.5h', '1h30m0s'],
    ['60s', '1m0s'],
    ['1500ms', '1.5s'],
    ['1500us', '1.5ms'],
    ['1500ns', '1.5µs'],
    ['7ns', '7ns'],
    ['-1h2m', '-1h2m0s'],
    ['+.5s', '500ms'],
    ['0', '0s'],
    ['0h', '0s'],
    ['2540400h10m10s', '2540400h10m10s'],
  ])('%s is written as %s', (text, expected) => {
    expect(durationProblem(text)).toBeUndefined();
    expect(canonicalDuration(text)).toBe(expected);
  });

  it.each(['', '1', 'h', '1d', '1h 2m', '.s', '1e3s', '9223372036854775808ns', `${'1'.repeat(300)}h`])(
    '%j is none',
    (text) => {
      expect(durationProblem(text)).toContain('time: invalid duration "');
      expect(canonicalDuration(text)).toBe(text);
    },
  );
});
