/** A Prometheus histogram of times that others have counted. */

import { Histogram, type MetricObjectWithValues, type MetricValueWithName } from 'prom-client';
import { DURATION_BOUNDS_MS, type DurationSum } from '../queue/duration-histogram.ts';

/** One series: its labels, and where its numbers are. */
export interface DurationSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly times: DurationSum;
}

type Value = MetricValueWithName<string>;

/** Reads the numbers when it is scraped: nothing is counted twice, and an idle queue costs nothing. */
export class PulledHistogram extends Histogram {
  readonly #read: () => Iterable<DurationSeries>;
  readonly #facts: { readonly name: string; readonly help: string };

  constructor(facts: { readonly name: string; readonly help: string }, read: () => Iterable<DurationSeries>) {
    super({ ...facts, registers: [] });
    this.#facts = facts;
    this.#read = read;
  }

  override async get(): Promise<MetricObjectWithValues<Value>> {
    const values = Array.from(this.#read(), (series) => valuesOf(this.#facts.name, series)).flat();
    const metric = { ...this.#facts, type: 'histogram', values, aggregator: 'sum' };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types ask for an enum that prom-client does not export
    return metric as unknown as MetricObjectWithValues<Value>;
  }

  /** What a Registry prints: prom-client's own histograms have it beside `get`, and it is preferred. */
  async getForPromString(): Promise<MetricObjectWithValues<Value>> {
    return this.get();
  }
}

function valuesOf(name: string, { labels, times: { count, totalMs, buckets } }: DurationSeries): readonly Value[] {
  let within = 0;
  const values: Value[] = DURATION_BOUNDS_MS.map((bound, index) => {
    within += buckets[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bound / 1000 }, value: within };
  });
  return [
    ...values,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: totalMs / 1000 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
