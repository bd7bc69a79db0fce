/** The metrics of a pool of readers, in the text format of Prometheus. */

import type { DealtCounts } from './connection-dealer.ts';

export interface ReaderPoolCounts extends DealtCounts {
  /** Readers that run. */
  readonly serving: number;
  readonly restarts: number;
  /** Connections that the listener closed: too many waited. */
  readonly dropped: number;
}

export function readerPoolMetrics(counts: ReaderPoolCounts): string {
  return [
    metric('listwatch_readers', 'gauge', 'Reader processes that run.', counts.serving),
    metric(
      'listwatch_reader_restarts_total',
      'counter',
      'Readers that ended unasked and were started again.',
      counts.restarts,
    ),
    metric(
      'listwatch_reader_connections_waiting',
      'gauge',
      'Connections that no reader has taken yet.',
      counts.waiting,
    ),
    metric('listwatch_reader_connections_total', 'counter', 'Connections that readers have taken.', counts.dealt),
    metric(
      'listwatch_reader_connections_redealt_total',
      'counter',
      'Connections that were given to another reader, because the first one ended before it had them.',
      counts.again,
    ),
    metric(
      'listwatch_reader_connections_refused_total',
      'counter',
      'Connections that were closed, because no reader took them in time or too many waited.',
      counts.expired + counts.dropped,
    ),
  ].join('');
}

function metric(name: string, type: 'counter' | 'gauge', help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n\n`;
}
