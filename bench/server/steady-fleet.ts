/** Watchers in processes of their own, writes at a steady rate, and what each server process used meanwhile. */

import { WatcherFleet } from '../capacity/watcher-fleet.ts';
import { monotonicMs, type WatchPlan } from '../capacity/watcher-plan.ts';
import { atRate } from './at-rate.ts';
import type { Connection, Protocol } from './connection.ts';
import type { LatencyHistogram } from './latency-histogram.ts';
import { configMap, configMapPath, objectName } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { cpuMicros, loopMicros } from './process-facts.ts';
import { resourceVersion } from './resource-version.ts';
import type { Target } from './target.ts';

/** What is done. */
export interface SteadyLoad {
  /** Who is watched, in turn. */
  readonly targets: readonly Target[];
  readonly writeTo: Target;
  /** Watchers of everything; 0 for the writes alone. */
  readonly watchers: number;
  readonly watchesPerConnection: number;
  readonly protocol?: Protocol | undefined;
  /** Updates a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Processes whose CPU is counted. */
  readonly pids: readonly number[];
}

/** What came of it. */
export interface SteadyResult {
  readonly latencies: LatencyHistogram;
  readonly delivered: number;
  readonly lost: number;
  /** Watches that ended, which none should. */
  readonly ended: number;
  readonly clientCores: number;
  /** Of each process: cores of its event loop, and of all its threads. */
  readonly used: readonly { readonly loop: number; readonly all: number }[];
}

/** The objects that are updated, one after the other. */
export const UPDATED = 100;
const WRITERS = 8;
const WARM_UP_SECONDS = 3;
const DRAIN_MS = 60_000;
/** Different in every update: one without a change would send no event. */
let version = Date.now() % 1e8;

/** Needs the first {@link UPDATED} ConfigMaps. */
export async function steadyLoad(load: SteadyLoad): Promise<SteadyResult> {
  const { targets, writeTo, watchers, watchesPerConnection, protocol = 'h2', rate, seconds, pids } = load;
  const from = await resourceVersion(writeTo);
  const plan: WatchPlan = { path: `${configMapPath()}?watch=true&resourceVersion=${from}`, first: 0, stride: 1 };
  const watches = Array.from({ length: watchers }, () => plan);
  await using fleet = await WatcherFleet.open({ targets, protocol, watchesPerConnection, watches });
  return await withConnections(writeTo, 'h1', WRITERS, async (writers) => {
    await run(fleet, writers, rate, rate * WARM_UP_SECONDS);
    const before = pids.map(usedBy);
    const { ms, cpuMicros: clients, ...seen } = await run(fleet, writers, rate, rate * seconds);
    const cores = (micros: number): number => micros / 1000 / ms;
    const used = pids.map((pid, at) => {
      const [now, then = now] = [usedBy(pid), before[at]];
      return { loop: cores(now.loop - then.loop), all: cores(now.all - then.all) };
    });
    return { ...seen, clientCores: cores(clients), used };
  });
}

function usedBy(pid: number): { readonly loop: number; readonly all: number } {
  return { loop: loopMicros(pid), all: cpuMicros(pid) };
}

async function run(fleet: WatcherFleet, writers: readonly Connection[], rate: number, writes: number) {
  const start = monotonicMs() + 200;
  await fleet.begin(start, 1000 / rate, writes);
  const schedule = { count: writes, due: (i: number) => start + (i * 1000) / rate, now: monotonicMs };
  await atRate(writers, schedule, async (writer, i) => {
    version += 1;
    const body = configMap(i % UPDATED, version);
    const { status } = await writer.ask({ method: 'PUT', path: configMapPath(objectName(i % UPDATED)), body });
    if (status !== 200) throw new Error(`an update was answered with ${status}`);
  });
  const report = await fleet.end(DRAIN_MS);
  return { ...report, ms: monotonicMs() - start };
}
