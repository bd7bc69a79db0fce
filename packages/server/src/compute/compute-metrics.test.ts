import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { ComputeJob } from './compute-job.ts';
import { registerComputeMetrics } from './compute-metrics.ts';
import { ComputePool } from './compute-pool.ts';

it('the metrics of the compute pool are what it counts', async () => {
  const pool = new ComputePool<{ any: ComputeJob<object, object> }>();
  const registry = new Registry();
  registerComputeMetrics(registry, pool);
  await pool.close();
  await expect(pool.run('any', {})).rejects.toMatchObject({ code: 'COMPUTE_CLOSED' });
  const text = await registry.metrics();
  expect(text).toContain('listwatch_compute_jobs_total{end="COMPUTE_CLOSED"} 1');
  expect(text).toContain('listwatch_compute_jobs_total{end="done"} 0');
  expect(text).toContain('listwatch_compute_workers_started_total 0');
  expect(text).toContain('listwatch_compute_queued_jobs 0');
});
