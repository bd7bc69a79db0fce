/** Stands for `/debug/overview` and `/debug/history` of a server. */

import type {
  FlowFacts,
  FlowUseFacts,
  HistoryTimeline,
  OverviewLine,
  OverviewMetric,
  ServerOverview,
} from '@listwatch/api/console';
import type { StorageEngine } from '@listwatch/storage';

/** A store and the first version that it keeps. */
export interface KeptHistory {
  readonly engine: Pick<StorageEngine, 'revision'>;
  readonly oldest: bigint;
}

const STEP_SECONDS = 10;
const STARTED = Date.now();

export async function* fakeOverview({ engine, oldest }: KeptHistory, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let times = hour(); !signal.aborted; times = [Math.floor(Date.now() / 1000)]) {
    yield line(overviewOf(await engine.revision(), oldest, times));
    await pause(1000, signal);
  }
}

export async function* fakeHistory({ engine, oldest }: KeptHistory, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let sent = -1n;
  while (!signal.aborted) {
    const revision = await engine.revision();
    if (revision !== sent) yield line(timelineOf(oldest, revision));
    sent = revision;
    await pause(100, signal);
  }
}

function timelineOf(oldestRevision: bigint, revision: bigint): HistoryTimeline {
  const newest = { resourceVersion: String(revision), at: new Date().toISOString() };
  const oldest = { resourceVersion: String(oldestRevision), at: new Date(STARTED).toISOString() };
  return { oldest, newest, points: [] };
}

function overviewOf(newest: bigint, oldest: bigint, times: readonly number[]): ServerOverview {
  const revision = String(newest);
  const uptimeSeconds = (Date.now() - STARTED) / 1000;
  const lines: [OverviewMetric, number, OverviewLine['labels']?][] = [
    ['changesPerSecond', 40],
    ['deliveriesPerSecond', 900],
    ['deliveryP50', 0.002],
    ['deliveryP99', 0.011],
    ['eventLoopP50', 0.0004],
    ['eventLoopP99', 0.006],
    ['residentBytes', 180 * 2 ** 20],
    ['heapBytes', 60 * 2 ** 20],
    ['requestsPerSecond', 12, { verb: 'list', code: '200' }],
    ['requestsPerSecond', 7, { verb: 'patch', code: '200' }],
    ['requestsPerSecond', 1, { verb: 'update', code: '409' }],
  ];
  return {
    at: new Date().toISOString(),
    server: {
      version: '0.1.0',
      gitVersion: 'v1.36.0',
      startedAt: new Date(STARTED).toISOString(),
      uptimeSeconds,
    },
    storage: {
      engine: 'lmdb',
      resourceVersion: revision,
      oldestResourceVersion: String(oldest),
      historySeconds: 86_400,
      historyMaxBytes: 2 ** 30,
      diskBytes: 12 * 2 ** 20,
      full: false,
    },
    health: {
      ready: true,
      checks: [
        { name: 'ping', ok: true },
        { name: 'storage', ok: true },
      ],
    },
    process: { residentBytes: 180 * 2 ** 20, heapBytes: 60 * 2 ** 20, budgets: [], cpuSeconds: 12, inFlight: 1 },
    kinds: [
      kindFacts('', 'v1', 'pods', 'Pod', 120, revision, oldest),
      kindFacts('', 'v1', 'configmaps', 'ConfigMap', 40, revision, oldest),
      kindFacts('apps', 'v1', 'deployments', 'Deployment', 8, revision, oldest),
    ],
    webhooks: [
      {
        type: 'validating',
        configuration: 'cost-guard',
        name: 'limits.cost-guard.example.com',
        calls: 40,
        refused: 3,
        failed: 2,
        lastFailure: 'failed to call webhook: context deadline exceeded',
        totalSeconds: 12,
        slowestSeconds: 2.5,
        inFlight: 4,
        waiting: 0,
      },
    ],
    flow: FLOW,
    series: {
      stepSeconds: STEP_SECONDS,
      times,
      lines: lines.map(([metric, mean, labels]) => ({
        metric,
        ...(labels === undefined ? {} : { labels }),
        values: times.map((time) => mean * (1 + 0.3 * Math.sin(time / 97) + 0.2 * Math.sin(time / 31))),
      })),
    },
  };
}

/** One noisy user, one who waits for him, and levels without work. */
const FLOW: FlowFacts = {
  levels: [
    { name: 'exempt', seats: null, seatsInUse: 1, waiting: 0, rejected: 0, loopShare: 0.02 },
    { name: 'global-default', seats: 56, seatsInUse: 42, waiting: 3, rejected: 17, loopShare: 0.62 },
    { name: 'workload-low', seats: 98, seatsInUse: 0, waiting: 0, rejected: 0, loopShare: 0 },
  ],
  flows: [
    flowFacts('eve', { loopShare: 0.58, executing: 42, seatsInUse: 42 }),
    flowFacts('ann', { loopShare: 0.04, waiting: 3, waitingSeconds: 12 }),
  ],
};

function flowFacts(distinguisher: string, facts: Partial<FlowUseFacts>): FlowUseFacts {
  const none = { loopShare: 0, executing: 0, seatsInUse: 0, waiting: 0, waitingSeconds: null };
  return { level: 'global-default', schema: 'global-default', distinguisher, ...none, ...facts };
}

function kindFacts(
  group: string,
  version: string,
  resource: string,
  kind: string,
  objects: number,
  revision: string,
  oldest: bigint,
): ServerOverview['kinds'][number] {
  return {
    group,
    version,
    resource,
    kind,
    namespaced: true,
    objects,
    bytes: objects * 3200,
    changesPerSecond: objects / 10,
    resourceVersion: revision,
    oldestInMemory: String(oldest),
    oldestOnDisk: String(oldest),
    watchers: 3,
    channels: 2,
    slowWatchers: 0,
    terminatedWatchers: 0,
  };
}

function hour(): readonly number[] {
  const now = Math.floor(Date.now() / 1000);
  return Array.from({ length: 360 }, (_, index) => now - (359 - index) * STEP_SECONDS);
}

function line(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
