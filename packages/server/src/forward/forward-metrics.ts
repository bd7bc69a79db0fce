/** Metrics of forwarded connections. */

import { Counter, Gauge, type Registry } from '../contract/metrics.ts';
import type { ForwardCounts } from './socket-forwarder.ts';

/** Adds the metrics to a registry. */
export function registerForwardMetrics(registry: Registry, read: () => ForwardCounts): void {
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_forwarded_connections',
      help: 'Open connections to kubelets, Pods and Services: exec, attach, port-forward, logs and proxied requests.',
      registers: [],
      collect() {
        this.set(read().open);
      },
    }),
  );
  const counter = (name: string, help: string, key: keyof ForwardCounts): void => {
    registry.registerMetric(
      new Counter({
        name,
        help,
        registers: [],
        collect() {
          this.reset();
          this.inc(read()[key]);
        },
      }),
    );
  };
  counter(
    'listwatch_forwarded_connections_total',
    'Connections to kubelets, Pods and Services that were opened.',
    'opened',
  );
  counter('listwatch_forwarded_refused_total', 'Requests refused because too many connections were open.', 'refused');
  counter(
    'listwatch_forwarded_failures_total',
    'Connections to kubelets, Pods and Services that could not be opened.',
    'failed',
  );
  counter('listwatch_forwarded_idle_cut_total', 'Forwarded connections cut because nothing moved.', 'cutIdle');
}
