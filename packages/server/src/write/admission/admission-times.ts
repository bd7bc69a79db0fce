/** Times admission with the metric names of kube-apiserver: each plugin, policy and webhook step, and both passes as a whole. */

import { BucketHistogram, type BucketSeries } from '../../contract/bucket-histogram.ts';
import { Buckets } from '../../contract/buckets.ts';
import type { Registry } from '../../contract/metrics.ts';

/** The passes in the words of Kubernetes' metrics. */
export type PassType = 'admit' | 'validate';

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** The times of one server. Names are those of plugins, so the number of series is bounded. */
export class AdmissionTimes {
  readonly #now: () => number;
  readonly #plugins = new Map<string, BucketSeries>();
  readonly #passes = new Map<string, BucketSeries>();

  /** `now`: milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  register(registry: Registry): void {
    registry.registerMetric(
      new BucketHistogram(
        'apiserver_admission_controller_admission_duration_seconds',
        'The time that an admission plugin took.',
        () => this.#plugins.values(),
      ),
    );
    registry.registerMetric(
      new BucketHistogram(
        'apiserver_admission_step_admission_duration_seconds',
        'The time that all mutating, or all validating, admission of a request took.',
        () => this.#passes.values(),
      ),
    );
  }

  /** Runs a plugin; an error is a rejection. What the plugin returns at once is returned at once. */
  plugin<T>(name: string, type: PassType, operation: string, run: () => Promise<T> | T): Promise<T> | T {
    const seriesOf = (rejected: string): BucketSeries =>
      seriesIn(this.#plugins, `${name} ${operation} ${rejected} ${type}`, () => ({ name, operation, rejected, type }));
    const observe = this.#observer(seriesOf);
    let result: Promise<T> | T;
    try {
      result = run();
    } catch (error) {
      observe('true');
      throw error;
    }
    if (result instanceof Promise) return settled(result, observe);
    observe('false');
    return result;
  }

  /** Runs a pass. */
  pass<T>(type: PassType, operation: string, run: () => Promise<T>): Promise<T> {
    const seriesOf = (rejected: string): BucketSeries =>
      seriesIn(this.#passes, `${operation} ${rejected} ${type}`, () => ({ operation, rejected, type }));
    const observe = this.#observer(seriesOf);
    return settled(run(), observe);
  }

  /** Call it before the work, and its result after it. */
  #observer(seriesOf: (rejected: string) => BucketSeries): (rejected: string) => void {
    const begun = this.#now();
    return (rejected) => seriesOf(rejected).buckets.observe((this.#now() - begun) / 1000);
  }
}

async function settled<T>(result: Promise<T>, observe: (rejected: string) => void): Promise<T> {
  try {
    const value = await result;
    observe('false');
    return value;
  } catch (error) {
    observe('true');
    throw error;
  }
}

/** Found by a text: to hash labels for each observation costs more than most plugins. */
function seriesIn(all: Map<string, BucketSeries>, key: string, labels: () => BucketSeries['labels']): BucketSeries {
  const known = all.get(key);
  if (known !== undefined) return known;
  const series = { labels: labels(), buckets: new Buckets(BUCKETS) };
  all.set(key, series);
  return series;
}
