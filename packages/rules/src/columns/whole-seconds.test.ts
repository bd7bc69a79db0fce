import { expect, it } from 'vitest';
import { wholeSeconds } from './whole-seconds.ts';

it('is cut to the second, in UTC, for each second anew', () => {
  const start = Date.UTC(2026, 10, 15, 12, 0, 59);
  const offsets = [0, 999, 1000, 0, -1];
  expect(offsets.map((offset) => wholeSeconds(start + offset))).toEqual([
    '2026-11-15T12:00:59Z',
    '2026-11-15T12:00:59Z',
    '2026-11-15T12:01:00Z',
    '2026-11-15T12:00:59Z',
    '2026-11-15T12:00:58Z',
  ]);
});
