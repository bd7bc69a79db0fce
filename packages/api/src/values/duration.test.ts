import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDuration, durationNanos, durationProblem, durationText, parseDuration } from './duration.ts';

describe('durations', () => {
  it.each([
    ['1h30m', '1h30m0s'],
    ['90s', '1m30s'],
    ['1.5h', '1h30m0s'],
    ['0', '0s'],
    ['-0', '0s'],
    ['.5ms', '500µs'],
    ['100us', '100µs'],
    ['1500ns', '1.5µs'],
    ['-1m', '-1m0s'],
    ['+1s1ms', '1.001s'],
    ['-9223372036854775808ns', '-2562047h47m16.854775808s'],
  ])('%s is written %s', (text, expected) => {
    expect(canonicalDuration(text)).toBe(expected);
  });

  it('reads back any text that it writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanos) => {
        // Go reads a fraction as a double, so that long ones may lose a nanosecond.
        const read = parseDuration(durationText(nanos));
        expect(read >= nanos - 1n && read <= nanos + 1n).toBe(true);
      }),
    );
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['1', 'time: missing unit in duration "1"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1 s', 'time: unknown unit " s" in duration "1 s"'],
    ['.s', 'time: invalid duration ".s"'],
    ['3000000h', 'time: invalid duration "3000000h"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['1é"', String.raw`time: unknown unit "\xc3\xa9\"" in duration "1\xc3\xa9\""`],
  ])('%s is refused with the words of Go', (text, message) => {
    expect(durationProblem(text)).toBe(message);
    expect(() => parseDuration(text)).toThrow(expect.objectContaining({ code: 'DURATION', message }));
    expect([durationNanos(text), canonicalDuration(text)]).toEqual([undefined, text]);
  });

  it.each(['9', '0', '1.', 's', '0s', '.0', 'ä'])(
    '%s a million times takes no time and gives a short message',
    (piece) => {
      expect(durationProblem(`1${piece.repeat(1_000_000)}`)?.length).toBeLessThan(8000);
    },
  );
});
