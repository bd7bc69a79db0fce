/** The metrics of the compute pool. */

import { Counter, Gauge, type Registry } from '../contract/metrics.ts';
import type { ComputePool } from './compute-pool.ts';

/** The parts of the pool that the metrics read. */
export type MeasuredPool = Pick<ComputePool<never>, 'counts' | 'queuedJobs' | 'queuedBytes'>;

/** Adds the metrics to a registry; they are read when it is scraped. */
export function registerComputeMetrics(registry: Registry, pool: MeasuredPool): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  gauge('listwatch_compute_queued_jobs', 'Large requests that wait for the worker thread.', () => pool.queuedJobs);
  gauge('listwatch_compute_queued_bytes', 'Bytes of large requests that wait.', () => pool.queuedBytes);
  void new Counter({
    name: 'listwatch_compute_workers_started_total',
    help: 'Worker threads that were started: at first use, after an idle end, after a crash or a deadline.',
    registers,
    collect() {
      this.reset();
      this.inc(pool.counts.workersStarted);
    },
  });
  void new Counter({
    name: 'listwatch_compute_jobs_total',
    help: 'Jobs by how they ended.',
    labelNames: ['end'],
    registers,
    collect() {
      this.reset();
      for (const [end, count] of Object.entries(pool.counts.jobsEnded)) this.inc({ end }, count);
    },
  });
}
