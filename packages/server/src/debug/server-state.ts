/** `/debug/overview` and `/debug/history`: the state of the server in the shapes of `@listwatch/api/console`. Start here. */

import { MEDIA_TYPE } from '@listwatch/api';
import type {
  FlowFacts,
  HistoryPoint,
  HistoryTimeline,
  KindFacts,
  ServerOverview,
  StorageFacts,
  WebhookFacts,
} from '@listwatch/api/console';
import { monotonicMs } from '@listwatch/api/internal';
import type { Clock, StorageEngine, StorageReport } from '@listwatch/storage';
import { BUDGET_NAMES } from '../cache/cache-budgets.ts';
import type { ApiResponse } from '../contract/api-response.ts';
import type { DebugState } from '../route/built-in-endpoints.ts';
import { serverVersion } from '../server-version.ts';
import type { HttpServer } from '../start/create-http-server.ts';
import type { StorageHealth } from '../start/storage-health.ts';
import type { StorageCaches } from '../watch/cache-set.ts';
import type { CachedKind } from '../watch/cached-kind.ts';
import { LineStreams, type StreamLine } from './line-streams.ts';
import { ServerSampler } from './server-sampler.ts';

/** Points of the history that are sent; time between two of them is interpolated. */
const HISTORY_POINTS = 500;
/** Webhooks that are sent each second, of at most 1000. */
const WEBHOOKS_MAX = 20;

/** What the state is read from. */
export interface ServerStateSources {
  readonly clock: Clock;
  readonly engine: Pick<StorageEngine, 'report'>;
  readonly caches: StorageCaches;
  readonly health: StorageHealth;
  readonly gitVersion: string;
  readonly http: () => Pick<HttpServer, 'health' | 'load' | 'requestCounts'>;
  /** Who uses the event loop. Absent: flow control is off. */
  readonly flow?: (() => FlowFacts) | undefined;
  /** The calls of admission webhooks, the slowest first. */
  readonly webhooks?: (() => readonly WebhookFacts[]) | undefined;
  /** Hears why a stream has ended. */
  readonly onError: (error: unknown) => void;
}

/** Answers both endpoints. Measures from `start` to `stop`. */
export class ServerState implements DebugState {
  readonly #sources: ServerStateSources;
  readonly #sampler: ServerSampler;
  readonly #overviews: LineStreams;
  readonly #histories: LineStreams;
  readonly #version = serverVersion();
  #startedAt: number;
  #startedMs: number;

  constructor(sources: ServerStateSources) {
    const { clock, caches, http, onError } = sources;
    this.#sources = sources;
    this.#startedAt = clock.now();
    this.#startedMs = monotonicMs(clock);
    this.#sampler = new ServerSampler({ clock, caches, requests: () => http().requestCounts() });
    this.#overviews = new LineStreams(clock, (position) => this.#overviewLine(position), onError);
    this.#histories = new LineStreams(clock, (position) => this.#historyLine(position), onError);
  }

  start(): void {
    this.#startedAt = this.#sources.clock.now();
    this.#startedMs = monotonicMs(this.#sources.clock);
    this.#sampler.start();
  }

  stop(): void {
    this.#sampler.stop();
    this.#overviews.close();
    this.#histories.close();
  }

  async overview(isWatch: boolean): Promise<ApiResponse> {
    return isWatch ? this.#overviews.open() : document(await this.#overviewAt(0));
  }

  async history(isWatch: boolean): Promise<ApiResponse> {
    return isWatch ? this.#histories.open() : document(this.#timeline());
  }

  /** Every line is whole, but for the points: those that the reader has are left out. */
  async #overviewLine(position: number | undefined): Promise<StreamLine> {
    const { end } = this.#sampler.ring;
    return { value: await this.#overviewAt(position ?? 0), position: end };
  }

  async #historyLine(position: number | undefined): Promise<StreamLine | undefined> {
    const newest = Number(this.#sources.caches.feed.revision);
    if (position === newest) return undefined;
    if (position === undefined) return { value: this.#timeline(), position: newest };
    // Two: when the oldest version was made, and the newest.
    const { points, ...ends } = this.#timeline(2);
    return { value: { ...ends, points: points.slice(-1) }, position: newest };
  }

  async #overviewAt(firstSample: number): Promise<ServerOverview> {
    const { clock, caches, gitVersion, http } = this.#sources;
    const now = clock.now();
    // Before anything is awaited: what is measured meanwhile is for the next line.
    const series = this.#sampler.ring.since(firstSample);
    const report = this.#report(0);
    const checks = await http().health.facts('readyz');
    const { heapUsed, rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const { reads, mutating } = http().load;
    return {
      at: new Date(now).toISOString(),
      server: {
        version: this.#version,
        gitVersion,
        startedAt: new Date(this.#startedAt).toISOString(),
        uptimeSeconds: (monotonicMs(clock) - this.#startedMs) / 1000,
      },
      storage: this.#storage(report),
      health: { ready: checks.every(({ ok }) => ok), checks },
      process: {
        residentBytes: rss,
        heapBytes: heapUsed,
        budgets: BUDGET_NAMES.map((name) => {
          const { used: bytes, maxBytes } = caches.budgets[name];
          return { name, bytes, maxBytes };
        }),
        cpuSeconds: (user + system) / 1e6,
        inFlight: reads + mutating,
      },
      kinds: [...caches].map((kind) => this.#kind(kind, report?.oldest)),
      flow: this.#sources.flow?.(),
      webhooks: this.#sources.webhooks?.().slice(0, WEBHOOKS_MAX),
      series,
    };
  }

  #storage(report: StorageReport | undefined): StorageFacts {
    const { caches, health } = this.#sources;
    return {
      engine: report?.name ?? 'unknown',
      resourceVersion: String(caches.feed.revision),
      oldestResourceVersion: report?.oldest === undefined ? null : String(report.oldest),
      historySeconds: report?.historyAgeMs === undefined ? null : report.historyAgeMs / 1000,
      historyMaxBytes: report?.historyBytes ?? null,
      diskBytes: report?.diskBytes ?? null,
      full: health.isFull,
    };
  }

  #kind(kind: CachedKind, oldest: bigint | undefined): KindFacts {
    const { cache, counts } = kind;
    const { generation } = cache;
    const { group, version, plural: resource, kind: name, namespaced } = cache.definition.resource;
    return {
      group,
      version,
      resource,
      kind: name,
      namespaced,
      objects: generation?.size ?? 0,
      bytes: generation?.bytes ?? 0,
      changesPerSecond: this.#sampler.changesPerSecond(kind),
      resourceVersion: String(generation?.revision ?? 0n),
      oldestInMemory: String(generation?.window.oldestStart ?? 0n),
      oldestOnDisk: oldest === undefined ? null : String(oldest),
      watchers: counts.watchers,
      channels: counts.channels,
      slowWatchers: counts.slow,
      terminatedWatchers: counts.terminated,
    };
  }

  #timeline(points: number = HISTORY_POINTS): HistoryTimeline {
    const { caches } = this.#sources;
    const report = this.#report(points);
    const known = report === undefined || report.times.length === 0 ? this.#sampled(report, points) : report.times;
    const newest = { revision: caches.feed.revision, time: known.at(-1)?.time };
    const oldest = { revision: report?.oldest ?? known[0]?.revision ?? newest.revision, time: known[0]?.time };
    return { oldest: point(oldest), newest: point(newest), points: known.map(point) };
  }

  /** What this server has seen, as far as the store still has it. Versions from before its start have no time. */
  #sampled(report: StorageReport | undefined, points: number): readonly Moment[] {
    const since = this.#sources.clock.now() - (report?.historyAgeMs ?? Number.POSITIVE_INFINITY);
    const kept = this.#sampler.versions.filter(({ time }) => time >= since);
    // The newest one stands, however old: nothing has changed since.
    return (kept.length > 0 ? kept : this.#sampler.versions.slice(-1)).slice(-points);
  }

  #report(points: number): StorageReport | undefined {
    try {
      return this.#sources.engine.report?.(points);
    } catch {
      // The store is closing; the rest of the state is still of use.
      return undefined;
    }
  }
}

interface Moment {
  readonly revision: bigint;
  readonly time: number | undefined;
}

function point({ revision, time }: Moment): HistoryPoint {
  return { resourceVersion: String(revision), at: time === undefined ? null : new Date(time).toISOString() };
}

function document(value: unknown): ApiResponse {
  const body = Buffer.from(`${JSON.stringify(value)}\n`);
  return { type: 'bytes', status: 200, headers: { 'content-type': MEDIA_TYPE.json }, body };
}
