/** Metrics of connections: how many there are, what they hold, and how many were cut. */

import { Counter, Gauge, type Registry } from '../contract/metrics.ts';
import type { ConnectionCuts } from './read-deadline.ts';

/** Where the numbers come from. */
export interface ConnectionNumbers {
  readonly cuts: Readonly<ConnectionCuts>;
  readonly connections: () => number;
  readonly unreadBytes: () => number;
}

/** Adds the metrics to a registry. */
export function registerConnectionMetrics(registry: Registry, numbers: ConnectionNumbers): void {
  const { cuts } = numbers;
  registry.registerMetric(
    gauge('listwatch_connections', 'Open TCP connections, also during the TLS handshake.', numbers.connections),
  );
  registry.registerMetric(
    gauge('listwatch_unread_bytes', 'Bytes of answers that wait for slow clients.', numbers.unreadBytes),
  );
  registry.registerMetric(
    counter('listwatch_unread_answers_cut_total', 'Answers cut because the client did not read.', () => cuts.unread),
  );
  registry.registerMetric(
    counter(
      'listwatch_stalled_connections_cut_total',
      'HTTP/2 connections cut because of an unfinished frame or an unanswered ping.',
      () => cuts.stalled,
    ),
  );
  registry.registerMetric(
    counter(
      'listwatch_resetting_connections_cut_total',
      'HTTP/2 connections cut because they reset too many streams at once.',
      () => cuts.resetting,
    ),
  );
}

function gauge(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
}

function counter(name: string, help: string, read: () => number): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
