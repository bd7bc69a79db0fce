/** The metrics of a server's caches, watches, store and process. `RequestMetrics` counts requests. */

import { fieldSetMemory } from '@listwatch/schema';
import { BUDGET_NAMES } from '../cache/cache-budgets.ts';
import { type MeasuredPool, registerComputeMetrics } from '../compute/compute-metrics.ts';
import { Counter, Gauge, type Registry } from '../contract/metrics.ts';
import type { CustomKinds } from '../crd/custom-kinds.ts';
import type { LazyOpenApi } from '../openapi/lazy-openapi.ts';
import type { StorageCaches } from '../watch/cache-set.ts';
import type { CachedKind } from '../watch/cached-kind.ts';
import type { QuotaCharges } from '../write/admission/quota-charges.ts';
import type { ServiceClaims } from '../write/admission/service-claims.ts';
import type { CallTimes } from './call-times.ts';
import type { CommitCounts, CountedEngine } from './counted-engine.ts';
import type { StorageHealth } from './storage-health.ts';

const KIND_LABELS = ['group', 'resource'] as const;

interface KindMetric {
  readonly name: string;
  readonly help: string;
  /** `counter`: it only grows. */
  readonly type: 'counter' | 'gauge';
  readonly read: (kind: CachedKind) => number;
}

const KIND_METRICS: readonly KindMetric[] = [
  {
    name: 'listwatch_cache_objects',
    help: 'Objects in the cache.',
    type: 'gauge',
    read: ({ cache }) => cache.generation?.size ?? 0,
  },
  {
    name: 'listwatch_cache_resource_version',
    help: 'The resource version that the cache has reached.',
    type: 'gauge',
    read: ({ cache }) => Number(cache.generation?.revision ?? 0n),
  },
  {
    name: 'listwatch_cache_oldest_resource_version',
    help: 'The oldest resource version that a watch can begin from without reading the store.',
    type: 'gauge',
    read: ({ cache }) => Number(cache.generation?.window.oldestStart ?? 0n),
  },
  {
    name: 'listwatch_cache_window_events',
    help: 'Changes in the window.',
    type: 'gauge',
    read: ({ cache }) => cache.generation?.window.size ?? 0,
  },
  {
    name: 'listwatch_cache_window_capacity',
    help: 'Changes that the window may hold before it drops the oldest or grows.',
    type: 'gauge',
    read: ({ cache }) => cache.generation?.window.capacity ?? 0,
  },
  {
    name: 'listwatch_cache_window_seconds',
    help: 'The age of the oldest change in the window.',
    type: 'gauge',
    read: ({ cache }) => (cache.now() - (cache.generation?.window.oldestTime ?? cache.now())) / 1000,
  },
  {
    name: 'listwatch_cache_snapshots',
    help: 'Snapshots that are kept for the next pages of lists.',
    type: 'gauge',
    read: ({ cache }) => cache.generation?.snapshots.count ?? 0,
  },
  {
    name: 'listwatch_cache_undecodable_objects',
    help: 'Stored values that cannot be decoded and are left out of lists and watches.',
    type: 'gauge',
    read: ({ cache }) => cache.generation?.undecodable ?? 0,
  },
  {
    name: 'listwatch_watchers',
    help: 'Watchers that are served by the cache.',
    type: 'gauge',
    read: ({ counts }) => counts.watchers,
  },
  {
    name: 'listwatch_watch_channels',
    help: 'Channels that watchers share.',
    type: 'gauge',
    read: ({ counts }) => counts.channels,
  },
  {
    name: 'listwatch_watch_events_total',
    help: 'Events that were sent to watchers, bookmarks included.',
    type: 'counter',
    read: ({ stats }) => stats.traffic.events,
  },
  {
    name: 'listwatch_watch_bytes_total',
    help: 'Bytes of these events.',
    type: 'counter',
    read: ({ stats }) => stats.traffic.bytes,
  },
  {
    name: 'listwatch_watch_states_total',
    help: 'Watches that began with all objects of their scope: watch-lists, and watches without a version.',
    type: 'counter',
    read: ({ stats }) => stats.traffic.states,
  },
  {
    name: 'apiserver_terminated_watchers_total',
    help: 'Watchers that were ended because they were too slow: behind the window, or with too many unsent bytes.',
    type: 'counter',
    read: ({ counts }) => counts.terminated,
  },
];

/** Where the numbers come from. */
export interface MetricSources {
  readonly caches: StorageCaches;
  readonly commits: CommitCounts;
  readonly times: CountedEngine['times'];
  /** Undefined where one server has the store for itself. */
  readonly claims: Pick<ServiceClaims, 'conflicts'>;
  readonly health: StorageHealth;
  readonly openApi: Pick<LazyOpenApi, 'bytes' | 'maxBytes'>;
  readonly quotas: Pick<QuotaCharges, 'waiting'>;
  readonly custom: Pick<CustomKinds, 'all'>;
  readonly pool: MeasuredPool;
}

/** Adds the metrics to a registry. All are numbers that are kept anyway, read when the metrics are asked for. */
export function registerServerMetrics(
  registry: Registry,
  { caches, commits, times, claims, health, openApi, quotas, custom, pool }: MetricSources,
): void {
  for (const metric of KIND_METRICS) registry.registerMetric(kindMetric(metric, caches));
  registry.registerMetric(
    new Counter({
      name: 'listwatch_storage_commits_total',
      help: 'Changes that the store was asked to commit, by what became of them.',
      labelNames: ['outcome'],
      registers: [],
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(commits)) this.inc({ outcome }, count);
      },
    }),
  );
  registerCallTimes(registry, times);
  registerComputeMetrics(registry, pool);
  registry.registerMetric(
    new Counter({
      name: 'listwatch_service_claim_conflicts_total',
      help: 'Writes of Services that found their cluster IP or node port claimed, by another server or Service.',
      labelNames: ['address'],
      registers: [],
      collect() {
        this.reset();
        for (const [address, count] of Object.entries(claims.conflicts)) this.inc({ address }, count);
      },
    }),
  );
  registerBudgets(registry, caches, openApi);
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_custom_definitions',
      help: 'CustomResourceDefinitions. Compiled schemas, patterns and rules live as long as their definition.',
      registers: [],
      collect() {
        this.set(custom.all.size);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_quota_waiting_writes',
      help: 'Writes that wait until the usage of their quotas is raised. The in-flight limit bounds them.',
      registers: [],
      collect() {
        this.set(quotas.waiting);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'listwatch_watch_flush_seconds_total',
      help: 'Time that was spent in sending events to watchers: about half of all time under load.',
      registers: [],
      collect() {
        this.reset();
        this.inc(caches.pacer.spent / 1000);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'listwatch_storage_feed_failures_total',
      help: 'How often the watch of the store was lost or could not be opened. Each time every cache is loaded again.',
      registers: [],
      collect() {
        this.reset();
        this.inc(caches.feed.failures);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_storage_disk_full',
      help: '1 while the store takes no writes because its disk is full.',
      registers: [],
      collect() {
        this.set(health.isFull ? 1 : 0);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Memory that the process holds.',
      registers: [],
      collect() {
        this.set(process.memoryUsage.rss());
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'CPU time that the process has used.',
      registers: [],
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / 1e6);
      },
    }),
  );
}

interface CallMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly read: (times: CallTimes) => number;
}

const CALL_METRICS: readonly CallMetric[] = [
  {
    name: 'listwatch_storage_calls_total',
    help: 'Calls to the store: commits, and reads of a store in another process.',
    type: 'counter',
    read: ({ calls }) => calls,
  },
  {
    name: 'listwatch_storage_waiting_calls',
    help: 'Calls that the store has not answered yet.',
    type: 'gauge',
    read: ({ waiting }) => waiting,
  },
  {
    name: 'listwatch_storage_wait_seconds_total',
    help: 'Time that calls have waited for the store, all of them together.',
    type: 'counter',
    read: ({ seconds }) => seconds,
  },
];

function registerCallTimes(registry: Registry, times: CountedEngine['times']): void {
  for (const { name, help, type, read } of CALL_METRICS) {
    const kind = type === 'counter' ? Counter : Gauge;
    registry.registerMetric(
      new kind({
        name,
        help,
        labelNames: ['call'],
        registers: [],
        collect() {
          this.reset();
          for (const [call, one] of Object.entries(times)) this.inc({ call }, read(one));
        },
      }),
    );
  }
}

function registerBudgets(registry: Registry, { budgets }: StorageCaches, openApi: MetricSources['openApi']): void {
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_memory_bytes',
      help: 'Memory that bounded caches use, all kinds together. An estimate.',
      labelNames: ['cache'],
      registers: [],
      collect() {
        for (const name of BUDGET_NAMES) this.set({ cache: name }, budgets[name].used);
        this.set({ cache: 'openapi' }, openApi.bytes);
        this.set({ cache: 'fieldSets' }, fieldSetMemory().bytes);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'listwatch_memory_limit_bytes',
      help: 'The limit of each of these caches.',
      labelNames: ['cache'],
      registers: [],
      collect() {
        for (const name of BUDGET_NAMES) this.set({ cache: name }, budgets[name].maxBytes);
        this.set({ cache: 'openapi' }, openApi.maxBytes);
        this.set({ cache: 'fieldSets' }, fieldSetMemory().maxBytes);
      },
    }),
  );
}

function labelsOf({ cache }: CachedKind): { readonly group: string; readonly resource: string } {
  const { group, plural } = cache.definition.resource;
  return { group, resource: plural };
}

function kindMetric({ name, help, type, read }: KindMetric, caches: StorageCaches): Counter | Gauge {
  const options = { name, help, labelNames: KIND_LABELS, registers: [] };
  if (type === 'gauge') {
    return new Gauge({
      ...options,
      collect() {
        // Custom kinds that are gone have no numbers.
        this.reset();
        for (const kind of caches) this.set(labelsOf(kind), read(kind));
      },
    });
  }
  return new Counter({
    ...options,
    collect() {
      this.reset();
      for (const kind of caches) this.inc(labelsOf(kind), read(kind));
    },
  });
}
