import { expect, it } from 'vitest';
import { parseGoDuration } from './go-duration.ts';

it.each([
  ['30s', 30_000],
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['5.s', 5000],
  ['100ms', 100],
  ['2us', 0.002],
  ['0', 0],
  ['-1s', -1000],
  ['+1s', 1000],
])('%s is %d ms', (text, ms) => {
  expect(parseGoDuration(text)).toBeCloseTo(ms, 9);
});

it.each([
  ['', 'time: invalid duration ""'],
  ['abc', 'time: invalid duration "abc"'],
  ['30', 'time: missing unit in duration "30"'],
  ['5x', 'time: unknown unit "x" in duration "5x"'],
  ['1s.', 'time: invalid duration "1s."'],
  ['5constructor', 'time: unknown unit "constructor" in duration "5constructor"'],
  ['9999999999h', 'time: invalid duration "9999999999h"'],
])('%j is none', (text, message) => {
  expect(() => parseGoDuration(text)).toThrow(message);
});
