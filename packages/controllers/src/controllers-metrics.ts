/** The metrics of the controllers as text, under the names that client-go and controller-runtime have for them. */

import type { Controller, WorkQueueMetrics } from '@listwatch/runtime';
import type { GarbageCollectorMetrics } from './garbage/garbage-metrics.ts';
import type { RunningControllers } from './start-controllers.ts';

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Metric<S> {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly read: (of: S) => readonly Sample[];
}

const CONTROLLER_METRICS: readonly Metric<Controller>[] = [
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
];

/** A queue, under the name of its controller or, for the two of the garbage collector, under Kubernetes' own. */
interface NamedQueue {
  readonly name: string;
  readonly controller: string;
  readonly queue: WorkQueueMetrics;
}

const QUEUE_METRICS: readonly Metric<NamedQueue>[] = [
  queueMetric('workqueue_depth', 'gauge', 'Keys that are ready.', ({ depth }) => depth),
  queueMetric('workqueue_delayed', 'gauge', 'Keys that wait for a time.', ({ delayed }) => delayed),
  queueMetric('workqueue_adds_total', 'counter', 'Keys that were added.', ({ adds }) => adds),
  queueMetric('workqueue_retries_total', 'counter', 'Keys added again after a failure.', ({ retries }) => retries),
  queueMetric(
    'workqueue_longest_running_processor_seconds',
    'gauge',
    'How long the longest run has been going on.',
    ({ longestRunningMs }) => longestRunningMs / 1000,
  ),
];

function queueMetric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  read: (queue: WorkQueueMetrics) => number,
): Metric<NamedQueue> {
  return {
    name,
    type,
    help,
    read: (of) => [{ labels: { name: of.name, controller: of.controller }, value: read(of.queue) }],
  };
}

const GARBAGE_METRICS: readonly Metric<GarbageCollectorMetrics>[] = [
  garbageMetric('watched_kinds', 'gauge', 'Kinds that the garbage collector watches.', (of) => of.watchedKinds),
  garbageMetric('objects', 'gauge', 'Objects in its graph of owners.', (of) => of.objects),
  garbageMetric('deletes_total', 'counter', 'Objects that it deleted.', (of) => of.deletes),
  garbageMetric('failures_total', 'counter', 'Attempts that failed and are tried again.', (of) => of.failures),
];

function garbageMetric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  read: (of: GarbageCollectorMetrics) => number,
): Metric<GarbageCollectorMetrics> {
  return { name: `listwatch_garbage_collector_${name}`, type, help, read: (of) => [{ labels: {}, value: read(of) }] };
}

function queuesOf({ controllers, garbage }: RunningControllers): readonly NamedQueue[] {
  const controller = 'garbage-collector-controller';
  const own =
    garbage === undefined
      ? []
      : [
          { name: 'garbage_collector_attempt_to_delete', controller, queue: garbage.attemptToDelete },
          { name: 'garbage_collector_attempt_to_orphan', controller, queue: garbage.attemptToOrphan },
        ];
  return [...controllers.map(({ name, metrics }) => ({ name, controller: name, queue: metrics.queue })), ...own];
}

/** The text for a page of Prometheus metrics. */
export function controllersMetrics(running: RunningControllers): string {
  const lead: Metric<RunningControllers> = {
    name: 'leader_election_master_status',
    type: 'gauge',
    help: '1 while the controllers of this server run.',
    read: ({ isLeading }) => [{ labels: { name: 'listwatch-controllers' }, value: isLeading ? 1 : 0 }],
  };
  return [
    ...CONTROLLER_METRICS.flatMap((metric) => lines(metric, running.controllers)),
    ...QUEUE_METRICS.flatMap((metric) => lines(metric, queuesOf(running))),
    ...GARBAGE_METRICS.flatMap((metric) => lines(metric, running.garbage === undefined ? [] : [running.garbage])),
    ...lines(lead, [running]),
    '',
  ].join('\n');
}

function lines<S>({ name, type, help, read }: Metric<S>, sources: readonly S[]): readonly string[] {
  const shown = sources.flatMap(read).map(({ labels, value }) => `${name}${labelText(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...shown];
}

/** Values are names of controllers and results: none needs escaping. */
function labelText(labels: Sample['labels']): string {
  const texts = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}
