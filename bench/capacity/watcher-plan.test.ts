import { expect, test } from 'vitest';
import { expectedOf } from './watcher-plan.ts';

test.each([
  [0, 1, 10, 10],
  [3, 5, 10, 2],
  [4, 5, 10, 2],
  [9, 10, 10, 1],
  [10, 10, 10, 0],
  [0, 4800, 2400, 1],
])('a watch that sees write %i and each %i-th after it sees some of %i: %i', (first, stride, writes, expected) => {
  expect(expectedOf({ path: '', first, stride }, writes)).toBe(expected);
});
