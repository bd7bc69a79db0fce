import { expect, it } from 'vitest';
import { spread } from './spread.ts';

it.each([
  [1, 5, 10, [1, 2, 3, 4, 5]],
  [1, 5, 5, [1, 2, 3, 4, 5]],
  [1, 9, 3, [1, 5, 9]],
  [1, 10, 4, [1, 4, 7, 10]],
  [7, 7, 3, [7]],
  [1, 9, 1, [9]],
  [1, 9, 0, []],
  [5, 4, 3, []],
  [5, 4, 1, []],
])('from %i to %i, %i at most', (first, last, count, expected) => {
  expect(spread(first, last, count)).toEqual(expected);
});

it('never repeats a number', () => {
  const all = spread(1, 1001, 1000);
  expect(new Set(all).size).toBe(1000);
});
