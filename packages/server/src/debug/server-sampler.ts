/** Measures the server every few seconds: what it does, and how it feels. All of it is counted anyway. */

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { CancelTimer, Clock } from '@listwatch/storage';
import type { CacheGeneration } from '../cache/cache-generation.ts';
import type { StorageCaches } from '../watch/cache-set.ts';
import type { CachedKind } from '../watch/cached-kind.ts';
import { type Measurement, SampleRing } from './sample-ring.ts';

/** 720 samples are an hour. */
const STEP_MS = 5000;
const SAMPLES = 720;
/** How far back the rate of a kind looks: two steps. */
const RATE_STEPS = 2;
/** Node measures from one timer to the next, so that its own distance must be taken off. */
const LOOP_RESOLUTION_MS = 20;

/** Where the numbers come from. */
export interface SamplerSources {
  readonly clock: Clock;
  readonly caches: StorageCaches;
  /** Answers so far, by `VERB CODE`. */
  readonly requests: () => ReadonlyMap<string, number>;
}

/** A version and the time at which the server had reached it. */
export interface SampledVersion {
  readonly revision: bigint;
  readonly time: number;
}

/** The changes of a kind up to a moment; the numbers of another generation begin anew. */
interface KindCount {
  readonly generation: CacheGeneration | undefined;
  readonly changes: number;
  readonly events: number;
}

/** Measures from `start` to `stop`. */
export class ServerSampler {
  readonly ring: SampleRing = new SampleRing(SAMPLES, STEP_MS / 1000);
  readonly #sources: SamplerSources;
  readonly #loop: IntervalHistogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  /** The newest samples of each kind, oldest first. */
  #counts: readonly ReadonlyMap<CachedKind, KindCount>[] = [];
  #requests: ReadonlyMap<string, number> = new Map();
  #versions: readonly SampledVersion[] = [];
  #cancel: CancelTimer | undefined;

  constructor(sources: SamplerSources) {
    this.#sources = sources;
  }

  /** Versions with times, oldest first: for a store that does not know when they were made. */
  get versions(): readonly SampledVersion[] {
    return this.#versions;
  }

  start(): void {
    if (this.#cancel !== undefined) return;
    this.#loop.enable();
    this.#requests = this.#sources.requests();
    this.#counts = [this.#count()];
    this.#addVersion();
    this.#schedule();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#loop.disable();
  }

  /** The mean of the last ten seconds, as far as there are so many. */
  changesPerSecond(kind: CachedKind): number {
    const [oldest] = this.#counts;
    const steps = this.#counts.length - 1;
    const newest = this.#counts.at(-1)?.get(kind);
    if (newest === undefined || steps === 0) return 0;
    return changesBetween(oldest?.get(kind), newest) / ((steps * STEP_MS) / 1000);
  }

  #schedule(): void {
    this.#cancel = this.#sources.clock.after(STEP_MS, () => {
      this.#sample();
      this.#schedule();
    });
  }

  #sample(): void {
    const before = this.#counts.at(-1);
    const now = this.#count();
    this.#counts = [...this.#counts, now].slice(-RATE_STEPS - 1);
    this.#addVersion();
    const { heapUsed, rss } = process.memoryUsage();
    const { delays } = this.#sources.caches.pacer;
    this.ring.add(Math.round(this.#sources.clock.now() / 1000), [
      ...rates(before, now),
      { metric: 'deliveryP50', value: quantile(delays.count, delays.percentile(50), 1e6) },
      { metric: 'deliveryP99', value: quantile(delays.count, delays.percentile(99), 1e6) },
      { metric: 'eventLoopP50', value: this.#loopDelay(50) },
      { metric: 'eventLoopP99', value: this.#loopDelay(99) },
      { metric: 'heapBytes', value: heapUsed },
      { metric: 'residentBytes', value: rss },
      ...this.#requestRates(),
    ]);
    delays.reset();
    this.#loop.reset();
  }

  #loopDelay(percentile: number): number {
    const seconds = quantile(this.#loop.count, this.#loop.percentile(percentile), 1e9);
    return Math.max(0, seconds - LOOP_RESOLUTION_MS / 1000);
  }

  #requestRates(): readonly Measurement[] {
    const before = this.#requests;
    this.#requests = this.#sources.requests();
    return [...this.#requests].map(([key, count]) => {
      const [verb = '', code = ''] = key.split(' ');
      const value = ((count - (before.get(key) ?? 0)) * 1000) / STEP_MS;
      return { metric: 'requestsPerSecond', labels: { verb, code }, value };
    });
  }

  #count(): ReadonlyMap<CachedKind, KindCount> {
    const counts = new Map<CachedKind, KindCount>();
    for (const kind of this.#sources.caches) {
      const { generation } = kind.cache;
      counts.set(kind, { generation, changes: generation?.window.end ?? 0, events: kind.stats.traffic.events });
    }
    return counts;
  }

  #addVersion(): void {
    const { caches, clock } = this.#sources;
    const { revision } = caches.feed;
    if (this.#versions.at(-1)?.revision === revision) return;
    this.#versions = [...this.#versions, { revision, time: clock.now() }].slice(-SAMPLES);
  }
}

/** The versions of one kind share their keys: its changes count once. */
function rates(
  before: ReadonlyMap<CachedKind, KindCount> | undefined,
  now: ReadonlyMap<CachedKind, KindCount>,
): readonly Measurement[] {
  const roots = new Set<string>();
  let changes = 0;
  let events = 0;
  for (const [kind, count] of now) {
    const old = before?.get(kind);
    events += count.events - (old?.events ?? 0);
    if (roots.has(kind.cache.root)) continue;
    roots.add(kind.cache.root);
    changes += changesBetween(old, count);
  }
  return [
    { metric: 'changesPerSecond', value: (changes * 1000) / STEP_MS },
    { metric: 'deliveriesPerSecond', value: (events * 1000) / STEP_MS },
  ];
}

function changesBetween(old: KindCount | undefined, { generation, changes }: KindCount): number {
  return changes - (old?.generation === generation ? (old?.changes ?? 0) : 0);
}

/** NaN when nothing was measured. */
function quantile(count: number, value: number, perSecond: number): number {
  return count === 0 ? Number.NaN : value / perSecond;
}
