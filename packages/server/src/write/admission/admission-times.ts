/** Times admission with the metric names of kube-apiserver: each plugin, policy and webhook step, and both passes as a whole. */

import { Histogram, type Registry } from '../../contract/metrics.ts';

/** The passes in the words of Kubernetes' metrics. */
export type PassType = 'admit' | 'validate';

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** The times of one server. Names are those of plugins, so the number of series is bounded. */
export class AdmissionTimes {
  readonly #now: () => number;
  readonly #plugins = new Histogram({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: 'The time that an admission plugin took.',
    labelNames: ['name', 'operation', 'rejected', 'type'],
    buckets: BUCKETS,
    registers: [],
  });
  readonly #passes = new Histogram({
    name: 'apiserver_admission_step_admission_duration_seconds',
    help: 'The time that all mutating, or all validating, admission of a request took.',
    labelNames: ['operation', 'rejected', 'type'],
    buckets: BUCKETS,
    registers: [],
  });

  /** `now`: milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  register(registry: Registry): void {
    registry.registerMetric(this.#plugins);
    registry.registerMetric(this.#passes);
  }

  /** Runs a plugin; an error is a rejection. */
  plugin<T>(name: string, type: PassType, operation: string, run: () => Promise<T> | T): Promise<T> {
    return this.#timed(run, (rejected, seconds) => this.#plugins.observe({ name, operation, rejected, type }, seconds));
  }

  /** Runs a pass. */
  pass<T>(type: PassType, operation: string, run: () => Promise<T>): Promise<T> {
    return this.#timed(run, (rejected, seconds) => this.#passes.observe({ operation, rejected, type }, seconds));
  }

  async #timed<T>(run: () => Promise<T> | T, observe: (rejected: string, seconds: number) => void): Promise<T> {
    const begun = this.#now();
    const seconds = (): number => (this.#now() - begun) / 1000;
    try {
      const result = await run();
      observe('false', seconds());
      return result;
    } catch (error) {
      observe('true', seconds());
      throw error;
    }
  }
}
