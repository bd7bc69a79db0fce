/** A histogram of Prometheus whose numbers are kept elsewhere. */

import type { MetricObjectWithValues, MetricValueWithName } from 'prom-client';
import type { Buckets } from './buckets.ts';
import { Histogram } from './metrics.ts';

/** One series of a histogram. */
export interface BucketSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly buckets: Buckets;
}

/** Reads its series when the metrics are asked for. */
export class BucketHistogram extends Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #series: () => Iterable<BucketSeries>;

  constructor(name: string, help: string, series: () => Iterable<BucketSeries>) {
    super({ name, help, registers: [] });
    this.#name = name;
    this.#help = help;
    this.#series = series;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
    const values = [...this.#series()].flatMap((series) => this.#values(series));
    const facts = { name: this.#name, help: this.#help, type: HISTOGRAM, aggregator: 'sum' as const, values };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- prom-client types the metric's kind as a number, and writes this word
    return facts as unknown as MetricObjectWithValues<MetricValueWithName<string>>;
  }

  /** What prom-client asks for when it writes text. */
  getForPromString(): ReturnType<Histogram['get']> {
    return this.get();
  }

  #values({ labels, buckets }: BucketSeries): readonly MetricValueWithName<string>[] {
    const metricName = `${this.#name}_bucket`;
    const values: MetricValueWithName<string>[] = [];
    let count = 0;
    for (const [index, bound] of buckets.bounds.entries()) {
      count += buckets.counts[index] ?? 0;
      values.push({ labels: { le: bound, ...labels }, value: count, metricName });
    }
    count += buckets.counts.at(-1) ?? 0;
    values.push({ labels: { le: '+Inf', ...labels }, value: count, metricName });
    values.push({ labels, value: buckets.sum, metricName: `${this.#name}_sum` });
    values.push({ labels, value: count, metricName: `${this.#name}_count` });
    return values;
  }
}

const HISTOGRAM = 'histogram';
