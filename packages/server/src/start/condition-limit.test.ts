import { expect, it } from 'vitest';
import { ConditionLimit } from './condition-limit.ts';

it('takes six writes of an object in a minute, then none for 30 to 75 seconds', () => {
  const limit = new ConditionLimit(() => 1);
  for (let write = 0; write < 6; write += 1) expect(limit.take('a', write * 1000)).toBe(0);
  expect(limit.take('a', 6000)).toBe(75_000);
  expect(limit.take('a', 80_000)).toBe(1000);
  expect(limit.take('a', 81_000)).toBe(0);
  expect(limit.take('b', 6000)).toBe(0);
});

it('counts only the last minute', () => {
  const limit = new ConditionLimit();
  for (let write = 0; write < 100; write += 1) expect(limit.take('a', write * 10_000)).toBe(0);
});

it('forgets objects that are gone', () => {
  const limit = new ConditionLimit(() => 0);
  for (let write = 0; write < 7; write += 1) limit.take('a', 0);
  expect(limit.take('a', 0)).toBe(30_000);
  limit.keep(new Set(['b']));
  expect(limit.take('a', 0)).toBe(0);
});
