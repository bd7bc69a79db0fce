/** Metrics of aggregated APIs. */

import { Counter, Gauge, type Registry } from '../contract/metrics.ts';
import type { Aggregator } from './aggregator.ts';

/** Adds the metrics to a registry. The first two have the names of kube-apiserver. */
export function registerAggregationMetrics(registry: Registry, aggregator: Aggregator): void {
  registry.registerMetric(
    new Gauge({
      name: 'aggregator_unavailable_apiservice',
      help: 'APIServices which are marked as unavailable: 1 when it is, 0 when it is not.',
      labelNames: ['name'],
      registers: [],
      collect() {
        this.reset();
        for (const [name, value] of aggregator.availability.unavailable) this.set({ name }, value);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'How often an APIService became unavailable, by the reason of its condition.',
      labelNames: ['name', 'reason'],
      registers: [],
      collect() {
        this.reset();
        for (const { name, reason, count } of aggregator.availability.failures.values())
          this.inc({ name, reason }, count);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_aggregated_requests',
      help: 'Requests, watches and connections that backends of APIServices answer now.',
      registers: [],
      collect() {
        this.set(aggregator.counts.open);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'listwatch_aggregated_refused_total',
      help: 'Requests refused because too many to the same backend were open.',
      registers: [],
      collect() {
        this.reset();
        this.inc(aggregator.counts.refused);
      },
    }),
  );
}
