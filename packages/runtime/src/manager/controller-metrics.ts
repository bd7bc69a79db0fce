/** The metrics of each controller and its queue: names, and where the numbers are. */

import type { Controller } from '../controller/controller.ts';
import type { DurationSeries } from './pulled-histogram.ts';

interface Sample {
  readonly labels: Record<string, string>;
  readonly value: number;
}

interface ControllerMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labelNames: readonly string[];
  readonly read: (of: Controller) => readonly Sample[];
}

function ofController(read: (of: Controller) => number): ControllerMetric['read'] {
  return (of) => [{ labels: { controller: of.name }, value: read(of) }];
}

function ofQueue(read: (queue: Controller['metrics']['queue']) => number): ControllerMetric['read'] {
  return (of) => [{ labels: queueLabels(of), value: read(of.metrics.queue) }];
}

function queueLabels({ name }: Controller): Record<string, string> {
  return { name, controller: name };
}

/** controller-runtime counts these two as errors, too. */
function errorsOf({ metrics: { reconciles } }: Controller): number {
  return reconciles.error + reconciles.terminal_error + reconciles.timeout;
}

const CONTROLLER_LABELS = ['controller'];
const QUEUE_LABELS = ['name', 'controller'];
const EVENT_OUTCOMES = ['written', 'refused', 'failed', 'dropped'] as const;

export const CONTROLLER_METRICS: readonly ControllerMetric[] = [
  {
    name: 'controller_runtime_reconcile_total',
    help: 'Reconciles by result: success, error or requeue_after.',
    type: 'counter',
    labelNames: ['controller', 'result'],
    read: (of) => {
      const { success, requeue_after } = of.metrics.reconciles;
      return Object.entries({ success, requeue_after, error: errorsOf(of) }).map(([result, value]) => ({
        labels: { controller: of.name, result },
        value,
      }));
    },
  },
  {
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Reconciles that failed.',
    type: 'counter',
    labelNames: CONTROLLER_LABELS,
    read: ofController(errorsOf),
  },
  {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    help: 'Reconciles that failed with a TerminalError and are not retried.',
    type: 'counter',
    labelNames: CONTROLLER_LABELS,
    read: ofController(({ metrics }) => metrics.reconciles.terminal_error),
  },
  {
    name: 'controller_runtime_reconcile_timeouts_total',
    help: 'Reconciles that failed after reconcileTimeoutMs.',
    type: 'counter',
    labelNames: CONTROLLER_LABELS,
    read: ofController(({ metrics }) => metrics.reconciles.timeout),
  },
  {
    name: 'controller_runtime_max_concurrent_reconciles',
    help: 'The concurrency of the controller.',
    type: 'gauge',
    labelNames: CONTROLLER_LABELS,
    read: ofController(({ metrics }) => metrics.concurrency),
  },
  {
    name: 'controller_runtime_active_workers',
    help: 'Reconciles that run now.',
    type: 'gauge',
    labelNames: CONTROLLER_LABELS,
    read: ofController(({ metrics }) => metrics.active),
  },
  {
    name: 'listwatch_controller_stale_starts_total',
    help: 'Reconciles that began although the caches did not show the writes of the one before in time.',
    type: 'counter',
    labelNames: CONTROLLER_LABELS,
    read: ofController(({ metrics }) => metrics.staleStarts),
  },
  {
    name: 'listwatch_recorder_events_total',
    help: 'Kubernetes Events of the controller, by what became of them: written, refused, failed or dropped.',
    type: 'counter',
    labelNames: ['controller', 'outcome'],
    read: ({ name, metrics: { events } }) =>
      EVENT_OUTCOMES.map((outcome) => ({ labels: { controller: name, outcome }, value: events[outcome] })),
  },
  {
    name: 'listwatch_recorder_pending_events',
    help: 'Kubernetes Events of the controller that wait to be written.',
    type: 'gauge',
    labelNames: CONTROLLER_LABELS,
    read: ofController(({ metrics }) => metrics.events.pending),
  },
  {
    name: 'workqueue_depth',
    help: 'Keys that are ready.',
    type: 'gauge',
    labelNames: QUEUE_LABELS,
    read: ofQueue(({ depth }) => depth),
  },
  {
    name: 'workqueue_delayed',
    help: 'Keys that wait for a time: requeueAfterMs or backoff.',
    type: 'gauge',
    labelNames: QUEUE_LABELS,
    read: ofQueue(({ delayed }) => delayed),
  },
  {
    name: 'workqueue_adds_total',
    help: 'Keys that were put in line.',
    type: 'counter',
    labelNames: QUEUE_LABELS,
    read: ofQueue(({ adds }) => adds),
  },
  {
    name: 'workqueue_retries_total',
    help: 'Keys that were put in line again after a failure.',
    type: 'counter',
    labelNames: QUEUE_LABELS,
    read: ofQueue(({ retries }) => retries),
  },
  {
    name: 'workqueue_unfinished_work_seconds',
    help: 'How long the keys in work have been there, added up. Grows while a reconcile is stuck.',
    type: 'gauge',
    labelNames: QUEUE_LABELS,
    read: ofQueue(({ unfinishedWorkMs }) => unfinishedWorkMs / 1000),
  },
  {
    name: 'workqueue_longest_running_processor_seconds',
    help: 'How long the oldest key in work has been there.',
    type: 'gauge',
    labelNames: QUEUE_LABELS,
    read: ofQueue(({ longestRunningMs }) => longestRunningMs / 1000),
  },
];

interface ControllerTimes {
  readonly name: string;
  readonly help: string;
  readonly read: (of: Controller) => DurationSeries;
}

export const CONTROLLER_TIMES: readonly ControllerTimes[] = [
  {
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'How long reconciles took.',
    read: ({ name, metrics }) => ({ labels: { controller: name }, times: metrics.duration }),
  },
  {
    name: 'workqueue_queue_duration_seconds',
    help: 'From the add of a key to its worker.',
    read: (of) => ({ labels: queueLabels(of), times: of.metrics.queue.queueDuration }),
  },
  {
    name: 'workqueue_work_duration_seconds',
    help: 'From the worker to the end of its work.',
    read: (of) => ({ labels: queueLabels(of), times: of.metrics.queue.workDuration }),
  },
];
