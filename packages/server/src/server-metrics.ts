/** What a server tells of its caches, its watchers, its store and itself. Requests are counted by `RequestMetrics`. */

import { Counter, Gauge, type Registry } from 'prom-client';
import type { CommitCounts } from './counted-engine.ts';
import type { CachedKind, CacheSet } from './watch/cache-set.ts';

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
    read: ({ cache }) => cache.size,
  },
  {
    name: 'listwatch_cache_resource_version',
    help: 'The resource version that the cache has come to.',
    type: 'gauge',
    read: ({ cache }) => Number(cache.revision),
  },
  {
    name: 'listwatch_cache_oldest_resource_version',
    help: 'The oldest resource version that a watch can begin from without reading the store.',
    type: 'gauge',
    read: ({ cache }) => Number(cache.window.oldestStart),
  },
  {
    name: 'listwatch_cache_window_events',
    help: 'Changes in the window.',
    type: 'gauge',
    read: ({ cache }) => cache.window.size,
  },
  {
    name: 'listwatch_cache_window_capacity',
    help: 'Changes that the window may hold before it drops the oldest or grows.',
    type: 'gauge',
    read: ({ cache }) => cache.window.capacity,
  },
  {
    name: 'listwatch_cache_window_seconds',
    help: 'The age of the oldest change in the window.',
    type: 'gauge',
    read: ({ cache }) => (cache.now() - (cache.window.oldestTime ?? cache.now())) / 1000,
  },
  {
    name: 'listwatch_cache_snapshots',
    help: 'Snapshots that are kept for the next pages of lists.',
    type: 'gauge',
    read: ({ cache }) => cache.snapshots,
  },
  {
    name: 'listwatch_watchers',
    help: 'Watchers that are served by the cache.',
    type: 'gauge',
    read: ({ hub }) => hub.counts.watchers,
  },
  {
    name: 'listwatch_watch_channels',
    help: 'Channels that watchers share.',
    type: 'gauge',
    read: ({ hub }) => hub.counts.channels,
  },
  {
    name: 'listwatch_watch_events_total',
    help: 'Events that were sent to watchers, bookmarks included.',
    type: 'counter',
    read: ({ hub }) => hub.traffic.events,
  },
  {
    name: 'listwatch_watch_bytes_total',
    help: 'Bytes of these events.',
    type: 'counter',
    read: ({ hub }) => hub.traffic.bytes,
  },
  {
    name: 'apiserver_terminated_watchers_total',
    help: 'Watchers that were ended because they fell behind the window.',
    type: 'counter',
    read: ({ hub }) => hub.counts.terminated,
  },
];

/** Adds the metrics to a registry. All are numbers that are kept anyway, read when somebody asks. */
export function registerServerMetrics(registry: Registry, caches: CacheSet, commits: CommitCounts): void {
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

function labelsOf({ cache }: CachedKind): { readonly group: string; readonly resource: string } {
  const { group, plural } = cache.definition.resource;
  return { group, resource: plural };
}

function kindMetric({ name, help, type, read }: KindMetric, caches: CacheSet): Counter | Gauge {
  const options = { name, help, labelNames: KIND_LABELS, registers: [] };
  if (type === 'gauge') {
    return new Gauge({
      ...options,
      collect() {
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
