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
