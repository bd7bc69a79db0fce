import { expect, it } from 'vitest';
import { DURATION_BOUNDS_MS, DurationHistogram } from './duration-histogram.ts';

it('has a bucket for each bound and one for what is longer, all empty before the first time', () => {
  expect(new DurationHistogram().buckets).toEqual(Array.from({ length: DURATION_BOUNDS_MS.length + 1 }, () => 0));
});

it('counts a time in the bucket of the first bound that is not below it, and adds all of them up', () => {
  const histogram = new DurationHistogram();
  for (const ms of [0, 1, 1.5, 5, 300_000, 1_000_000, 1_000_001, 5_000_000]) histogram.observe(ms);
  const last = DURATION_BOUNDS_MS.length;
  expect(histogram.buckets.slice(0, 3)).toEqual([2, 2, 0]);
  expect(histogram.buckets.slice(last - 2)).toEqual([1, 1, 2]);
  expect(histogram).toMatchObject({ count: 8, totalMs: 7_300_008.5 });
});
