import { expect, it } from 'vitest';
import { LatencyHistogram } from './latency-histogram.ts';

it('tells percentiles to a tenth of a millisecond', () => {
  const histogram = new LatencyHistogram();
  for (let ms = 1; ms <= 100; ms += 1) histogram.add(ms);
  expect(histogram.count).toBe(100);
  expect(histogram.percentile(0.5)).toBe(50.1);
  expect(histogram.percentile(0.99)).toBe(99.1);
  expect(histogram.percentile(1)).toBe(100.1);
});

it('counts what is below none as none, and what is beyond its end as the end', () => {
  const histogram = new LatencyHistogram();
  histogram.add(-5);
  expect(histogram.percentile(1)).toBe(0.1);
  histogram.add(1e9);
  expect(histogram.percentile(1)).toBeGreaterThanOrEqual(30_000);
});

it('joins what two processes have counted', () => {
  const [one, two] = [new LatencyHistogram(), new LatencyHistogram()];
  for (const ms of [1, 2, 2]) one.add(ms);
  two.add(9);
  two.addCounts(one.counts());
  expect(two.count).toBe(4);
  expect(two.percentile(0.75)).toBe(2.1);
  expect(two.percentile(1)).toBe(9.1);
});
