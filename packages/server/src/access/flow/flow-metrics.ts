/** The metrics of flow control, under the names of Kubernetes. All are numbers that are kept anyway. */

import { BucketHistogram, type BucketSeries } from '../../contract/bucket-histogram.ts';
import { Counter, Gauge, type Registry } from '../../contract/metrics.ts';
import type { FlowControl } from './flow-control.ts';
import type { PriorityLevel } from './priority-level.ts';
import type { SchemaCounts } from './schema-counts.ts';

const PREFIX = 'apiserver_flowcontrol_';
const KINDS = ['mutating', 'readOnly'] as const;
const PHASES = ['executing', 'waiting'] as const;
const SCHEMA_LABELS = ['priority_level', 'flow_schema'] as const;

type SchemaGauge = readonly [name: string, help: string, read: (counts: SchemaCounts) => number];
type LevelGauge = readonly [name: string, help: string, read: (level: PriorityLevel) => number];

const SCHEMA_GAUGES: readonly SchemaGauge[] = [
  ['current_inqueue_requests', 'Requests that wait in queues.', ({ waiting }) => waiting],
  ['current_inqueue_seats', 'Seats that requests in queues wait for.', ({ waitingSeats }) => waitingSeats],
  ['current_executing_requests', 'Requests that hold seats.', ({ executing }) => executing],
  ['current_executing_seats', 'Seats that requests hold.', ({ executingSeats }) => executingSeats],
];

const LEVEL_GAUGES: readonly LevelGauge[] = [
  ['nominal_limit_seats', 'Seats of a level by its shares.', ({ bounds }) => bounds.nominal],
  ['lower_limit_seats', 'Seats that a level never lends.', ({ bounds }) => bounds.lower],
  ['upper_limit_seats', 'Seats that a level has at most.', ({ bounds }) => bounds.upper],
  ['current_limit_seats', 'Seats that a level has now.', ({ allocated }) => allocated],
  ['demand_seats_high_watermark', 'The most seats wanted in the last period.', ({ lastDemand }) => lastDemand.highest],
  ['demand_seats_average', 'Seats wanted in the last period, on average.', ({ lastDemand }) => lastDemand.average],
  ['demand_seats_stdev', 'Their standard deviation.', ({ lastDemand }) => lastDemand.deviation],
  ['demand_seats_smoothed', 'Seats wanted, smoothed.', ({ smoothed }) => smoothed],
  ['target_seats', 'Seats that the allocation aims at.', ({ target }) => target],
  ['current_r', 'Virtual time of the queues of a level.', ({ seats }) => seats.virtualTime],
  ['dispatch_r', 'Virtual time of the last dispatch.', ({ dispatchR }) => dispatchR],
  ['latest_s', 'Start of the stretch of loop time that ran last, in virtual milliseconds.', ({ loop }) => loop.time],
];

/** Registers them. */
export function registerFlowMetrics(registry: Registry, control: FlowControl): void {
  const each = <T>(items: () => Iterable<T>, add: (item: T) => void): void => {
    control.refresh();
    for (const item of items()) add(item);
  };
  const levels = (): Iterable<PriorityLevel> => control.levels;
  const counts = (): Iterable<SchemaCounts> => control.counts;
  for (const [name, help, read] of SCHEMA_GAUGES) {
    registry.registerMetric(
      new Gauge({
        name: PREFIX + name,
        help,
        labelNames: SCHEMA_LABELS,
        registers: [],
        collect() {
          this.reset();
          each(counts, (one) => this.set(labelsOf(one), read(one)));
        },
      }),
    );
  }
  for (const [name, help, read] of LEVEL_GAUGES) {
    registry.registerMetric(
      new Gauge({
        name: PREFIX + name,
        help,
        labelNames: ['priority_level'],
        registers: [],
        collect() {
          this.reset();
          each(levels, (level) => this.set({ priority_level: level.name }, read(level)));
        },
      }),
    );
  }
  registerBounds(registry, levels);
  registerCounters(registry, control);
  registerHistograms(registry, control);
  registerQueued(registry, control);
  registerOwn(registry, control);
  registry.registerMetric(
    new Gauge({
      name: `${PREFIX}seat_fair_frac`,
      help: 'The factor between the seats that levels want and those that they get.',
      registers: [],
      collect() {
        control.refresh();
        this.set(control.fairFraction);
      },
    }),
  );
}

/** Of the queues that have requests waiting: the least and the greatest virtual time of the next dispatch. */
function registerBounds(registry: Registry, levels: () => Iterable<PriorityLevel>): void {
  for (const name of ['next_s_bounds', 'next_discounted_s_bounds']) {
    registry.registerMetric(
      new Gauge({
        name: PREFIX + name,
        help: 'Least and greatest virtual time of the next dispatch of a queue.',
        labelNames: ['priority_level', 'bound'],
        registers: [],
        collect() {
          this.reset();
          for (const level of levels()) {
            const next = level.seats.queues.filter(({ waiting }) => waiting.length > 0).map((queue) => queue.next);
            this.set(
              { priority_level: level.name, bound: 'min' },
              next.reduce((a, b) => Math.min(a, b), next[0] ?? 0),
            );
            this.set(
              { priority_level: level.name, bound: 'max' },
              next.reduce((a, b) => Math.max(a, b), next[0] ?? 0),
            );
          }
        },
      }),
    );
  }
}

function registerCounters(registry: Registry, control: FlowControl): void {
  const schemaCounter = (name: string, help: string, read: (counts: SchemaCounts) => number): void => {
    registry.registerMetric(
      new Counter({
        name: PREFIX + name,
        help,
        labelNames: SCHEMA_LABELS,
        registers: [],
        collect() {
          this.reset();
          for (const one of control.counts) this.inc(labelsOf(one), read(one));
        },
      }),
    );
  };
  schemaCounter('dispatched_requests_total', 'Requests that got seats.', ({ dispatched }) => dispatched);
  schemaCounter(
    'request_dispatch_no_accommodation_total',
    'How often the next request did not fit into the free seats.',
    ({ noAccommodation }) => noAccommodation,
  );
  registry.registerMetric(
    new Counter({
      name: `${PREFIX}rejected_requests_total`,
      help: 'Requests that flow control refused, by reason.',
      labelNames: [...SCHEMA_LABELS, 'reason'],
      registers: [],
      collect() {
        this.reset();
        for (const one of control.counts) {
          for (const [reason, count] of Object.entries(one.rejected)) {
            if (count > 0) this.inc({ ...labelsOf(one), reason }, count);
          }
        }
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: `${PREFIX}epoch_advance_total`,
      help: 'How often virtual time began anew: never here.',
      labelNames: ['priority_level', 'success'],
      registers: [],
    }),
  );
}

function registerHistograms(registry: Registry, control: FlowControl): void {
  const histogram = (name: string, help: string, series: () => Iterable<BucketSeries>): void => {
    registry.registerMetric(new BucketHistogram(PREFIX + name, help, series));
  };
  const ofCounts = (read: (counts: SchemaCounts) => readonly BucketSeries[]): (() => readonly BucketSeries[]) => {
    return () => [...control.counts].flatMap(read);
  };
  histogram(
    'request_wait_duration_seconds',
    'Time that requests waited for seats and for their first turn of the event loop.',
    ofCounts((one) => [
      { labels: { ...labelsOf(one), execute: 'true' }, buckets: one.waits },
      { labels: { ...labelsOf(one), execute: 'false' }, buckets: one.refusedWaits },
    ]),
  );
  histogram(
    'request_execution_seconds',
    'Time that requests held seats; of a watch until its initial events are out.',
    ofCounts((one) => [
      { labels: { ...labelsOf(one), type: 'regular' }, buckets: one.executions.regular },
      { labels: { ...labelsOf(one), type: 'watch' }, buckets: one.executions.watch },
    ]),
  );
  histogram(
    'request_queue_length_after_enqueue',
    'Length of a queue after a request came to it.',
    ofCounts((one) => [{ labels: labelsOf(one), buckets: one.queueLengths }]),
  );
  histogram(
    'work_estimated_seats',
    'Seats that requests asked for.',
    ofCounts((one) => [{ labels: labelsOf(one), buckets: one.seats }]),
  );
  histogram(
    'watch_count_samples',
    'Watchers of the kind that a request changes.',
    ofCounts((one) => [{ labels: labelsOf(one), buckets: one.watchers }]),
  );
  histogram('read_vs_write_current_requests', 'Requests as a part of all seats, for each nanosecond.', () =>
    KINDS.flatMap((kind) =>
      PHASES.map((phase) => ({
        labels: { phase, request_kind: kind },
        buckets: control.kinds[kind].uses[phase].read(control.now()),
      })),
    ),
  );
  registry.registerMetric(
    new BucketHistogram(
      'apiserver_request_filter_duration_seconds',
      'Time that requests waited in a filter before they were handled.',
      () => [{ labels: { filter: 'priorityandfairness' }, buckets: control.filterSeconds }],
    ),
  );
  const ofLevels = (
    phases: readonly (readonly [phase: string | undefined, use: keyof PriorityLevel['uses']])[],
  ): (() => readonly BucketSeries[]) => {
    return () =>
      [...control.levels].flatMap((level) =>
        phases.map(([phase, use]) => ({
          labels: { priority_level: level.name, ...(phase === undefined ? {} : { phase }) },
          buckets: level.uses[use].read(control.now()),
        })),
      );
  };
  histogram(
    'priority_level_request_utilization',
    'Requests of a level as a part of its limit, for each nanosecond.',
    ofLevels([
      ['waiting', 'waiting'],
      ['executing', 'executing'],
    ]),
  );
  histogram(
    'priority_level_seat_utilization',
    'Seats in use as a part of the limit, for each nanosecond.',
    ofLevels([['executing', 'seats']]),
  );
  histogram(
    'demand_seats',
    'Seats that a level could use as a part of its nominal limit, for each nanosecond.',
    ofLevels([[undefined, 'demand']]),
  );
}

/** The most requests of each kind that waited in the last second. */
function registerQueued(registry: Registry, control: FlowControl): void {
  registry.registerMetric(
    new Gauge({
      name: 'apiserver_current_inqueue_requests',
      help: 'The most requests that waited in queues in the last second.',
      labelNames: ['request_kind'],
      registers: [],
      collect() {
        for (const kind of KINDS) this.set({ request_kind: kind }, control.kinds[kind].inQueue(control.now()));
      },
    }),
  );
}

/** Metrics that Kubernetes does not have: who uses the event loop. */
function registerOwn(registry: Registry, control: FlowControl): void {
  registry.registerMetric(
    new Counter({
      name: 'listwatch_flow_loop_seconds_total',
      help: 'Time of the event loop that requests of a schema used, with what their watchers cost.',
      labelNames: SCHEMA_LABELS,
      registers: [],
      collect() {
        this.reset();
        for (const one of control.counts) this.inc(labelsOf(one), one.loopMs / 1000);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_flow_waiting_stretches',
      help: 'Stretches of computing that wait for their turn of the event loop. Requests with seats bound them.',
      registers: [],
      collect() {
        this.set(control.gate.waiting);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_flow_flows',
      help: 'Flows that a level remembers, at most 1 024 and those with requests.',
      labelNames: ['priority_level'],
      registers: [],
      collect() {
        this.reset();
        for (const level of control.levels) this.set({ priority_level: level.name }, [...level.flows].length);
      },
    }),
  );
}

function labelsOf({ schema, level }: SchemaCounts): { readonly flow_schema: string; readonly priority_level: string } {
  return { priority_level: level, flow_schema: schema };
}
