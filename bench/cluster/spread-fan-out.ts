/** Updates to 3 000 watchers that are spread over the servers: in bursts, and at a steady rate. */

import { type FleetReport, WatcherFleet } from '../capacity/watcher-fleet.ts';
import { monotonicMs, type WatchPlan } from '../capacity/watcher-plan.ts';
import { atRate } from '../server/at-rate.ts';
import type { Connection } from '../server/connection.ts';
import { configMap, configMapPath, objectName } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { cpuMicros } from '../server/process-facts.ts';
import { resourceVersion } from '../server/resource-version.ts';
import { digits, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';

/** As many as a server lets into one HTTP/2 connection. */
const STREAMS = 100;
const BURST = 100;
const BURSTS = 3;
const WRITERS = 16;
const STEADY_RATE = 10;
/** How long after the last write its deliveries may take. */
const DRAIN_MS = 60_000;

/** How much of it. */
export interface SpreadOptions {
  readonly watchers: number;
  /** How long the steady rate is held. */
  readonly seconds: number;
}

interface Spread extends FleetReport {
  readonly serverMicros: number;
  readonly ms: number;
}

/** CPU of all servers for one delivery, deliveries a second, and the latency from when an update was due. */
export async function benchSpreadFanOut(
  servers: readonly Target[],
  { watchers, seconds }: SpreadOptions,
): Promise<void> {
  const [first] = servers;
  if (first === undefined) return;
  const from = await resourceVersion(first);
  const plan: WatchPlan = { path: `${configMapPath()}?watch=true&resourceVersion=${from}`, first: 0, stride: 1 };
  await using fleet = await WatcherFleet.open({
    targets: servers,
    protocol: 'h2',
    watchesPerConnection: STREAMS,
    watches: Array.from({ length: watchers }, () => plan),
  });
  await withConnections(first, 'h1', WRITERS, async (writers) => {
    const run = (writes: number, rate: number): Promise<Spread> => send(servers, fleet, writers, writes, rate);
    // The first warms up.
    await run(BURST, Number.POSITIVE_INFINITY);
    for (let burst = 0; burst < BURSTS; burst += 1) show('burst', watchers, await run(BURST, Number.POSITIVE_INFINITY));
    await run(2 * STEADY_RATE, STEADY_RATE);
    show(`steady ${STEADY_RATE}/s`, watchers, await run(seconds * STEADY_RATE, STEADY_RATE));
  });
}

let version = 2_000_000;

async function send(
  servers: readonly Target[],
  fleet: WatcherFleet,
  writers: readonly Connection[],
  writes: number,
  rate: number,
): Promise<Spread> {
  const cpu = (): number => servers.reduce((sum, { pid }) => sum + cpuMicros(pid), 0);
  const start = monotonicMs() + 200;
  await fleet.begin(start, 1000 / rate, writes);
  const before = cpu();
  const schedule = { count: writes, due: (i: number) => start + (i * 1000) / rate, now: monotonicMs };
  await atRate(writers, schedule, async (writer, i) => {
    version += 1;
    const name = objectName(i % BURST);
    const { status } = await writer.ask({
      method: 'PUT',
      path: configMapPath(name),
      body: configMap(i % BURST, version),
    });
    if (status !== 200) throw new Error(`an update was answered with ${status}`);
  });
  const seen = await fleet.end(DRAIN_MS);
  return { ...seen, serverMicros: cpu() - before, ms: monotonicMs() - start };
}

function show(how: string, watchers: number, spread: Spread): void {
  const { latencies, delivered, lost, ended, serverMicros, ms, cpuMicros: clientMicros } = spread;
  const bench = `fan-out to ${watchers}, ${how}`;
  const target = { name: 'cluster' };
  const facts = { delivered, watchesThatEnded: ended, clientCpuMicros: digits(clientMicros / delivered) };
  record(target, { bench, value: serverMicros / delivered, unit: 'us CPU', ...facts });
  record(target, { bench: `${bench}, rate`, value: (delivered / ms) * 1000, unit: 'deliveries/s' });
  record(target, { bench: `${bench}, p50`, value: latencies.percentile(0.5), unit: 'ms' });
  record(target, { bench: `${bench}, p99`, value: latencies.percentile(0.99), unit: 'ms' });
  record(target, { bench: `${bench}, lost`, value: lost, unit: 'deliveries', goal: { atMost: 0 } });
}
