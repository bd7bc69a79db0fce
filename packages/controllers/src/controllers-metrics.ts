/** The metrics of the controllers as text, under the names that client-go and controller-runtime have for them. */

import type { Controller } from '@listwatch/runtime';
import type { RunningControllers } from './start-controllers.ts';

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly read: (of: Controller) => readonly Sample[];
}

function ofQueue(read: (queue: Controller['metrics']['queue']) => number): Metric['read'] {
  return ({ name, metrics }) => [{ labels: { name, controller: name }, value: read(metrics.queue) }];
}

const METRICS: readonly Metric[] = [
  {
    name: 'controller_runtime_reconcile_total',
    type: 'counter',
    help: 'Reconciles by result: success, error or requeue_after.',
    read: ({ name, metrics: { reconciles } }) => {
      const { success, requeue_after } = reconciles;
      const error = reconciles.error + reconciles.terminal_error + reconciles.timeout;
      return Object.entries({ success, requeue_after, error }).map(([result, value]) => ({
        labels: { controller: name, result },
        value,
      }));
    },
  },
  {
    name: 'controller_runtime_active_workers',
    type: 'gauge',
    help: 'Reconciles that run now.',
    read: ({ name, metrics }) => [{ labels: { controller: name }, value: metrics.active }],
  },
  { name: 'workqueue_depth', type: 'gauge', help: 'Keys that are ready.', read: ofQueue(({ depth }) => depth) },
  {
    name: 'workqueue_delayed',
    type: 'gauge',
    help: 'Keys that wait for a time.',
    read: ofQueue(({ delayed }) => delayed),
  },
  { name: 'workqueue_adds_total', type: 'counter', help: 'Keys that were added.', read: ofQueue(({ adds }) => adds) },
  {
    name: 'workqueue_retries_total',
    type: 'counter',
    help: 'Keys that were added again after a failure.',
    read: ofQueue(({ retries }) => retries),
  },
  {
    name: 'workqueue_longest_running_processor_seconds',
    type: 'gauge',
    help: 'How long the longest reconcile has been running.',
    read: ofQueue(({ longestRunningMs }) => longestRunningMs / 1000),
  },
];

/** The text for a page of Prometheus metrics. */
export function controllersMetrics({ controllers, isLeading }: RunningControllers): string {
  const lead: Sample = { labels: { name: 'listwatch-controllers' }, value: isLeading ? 1 : 0 };
  return [
    ...METRICS.flatMap(({ read, ...metric }) => lines(metric, controllers.flatMap(read))),
    ...lines(
      { name: 'leader_election_master_status', type: 'gauge', help: '1 while the controllers of this server run.' },
      [lead],
    ),
    '',
  ].join('\n');
}

function lines({ name, type, help }: Omit<Metric, 'read'>, samples: readonly Sample[]): readonly string[] {
  const shown = samples.map(({ labels, value }) => `${name}{${labelText(labels)}} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...shown];
}

/** Values are names of controllers and results: none needs escaping. */
function labelText(labels: Sample['labels']): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',');
}
