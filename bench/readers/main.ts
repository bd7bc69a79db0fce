/**
 * `serve --readers N` beside one process, in the same run: `main.ts [--readers 0,2] [--watchers 1000] [--per-reader 0.8] [--rate 20]
 * [--seconds 15] [--profiles DIR]`. One process has `watchers` watchers; with readers, each reader has `per-reader` times as many.
 * The number that counts is the CPU of the busiest event loop: it says how many watchers fit, however many cores the machine has.
 */

import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { WatcherFleet } from '../capacity/watcher-fleet.ts';
import { monotonicMs, type WatchPlan } from '../capacity/watcher-plan.ts';
import { atRate } from '../server/at-rate.ts';
import { machine } from '../server/machine.ts';
import { configMap, configMapPath, objectName, seedWith } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { cpuMicros, loopMicros, resident } from '../server/process-facts.ts';
import { resourceVersion } from '../server/resource-version.ts';
import { digits, record } from '../server/result.ts';
import { inScratch } from '../storage/scratch.ts';
import { type ServedReaders, serveWithReaders } from './served-readers.ts';

const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '0,2' },
    watchers: { type: 'string', default: '1000' },
    'per-reader': { type: 'string', default: '0.8' },
    rate: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '15' },
    profiles: { type: 'string' },
  },
});
const rate = Number(values.rate);
/** As many as a server lets into one HTTP/2 connection, so that they spread over the readers. */
const STREAMS = 50;
const UPDATED = 100;
const WRITERS = 8;
const WARM_UP_SECONDS = 3;
const DRAIN_MS = 60_000;
let version = 1;

machine();
for (const text of values.readers.split(',')) {
  const readers = Number(text);
  await inScratch(async (folder) => {
    await using served = await serveWithReaders({ folder, readers, profiles: values.profiles });
    const watchers = Number(values.watchers) * (readers === 0 ? 1 : readers * Number(values['per-reader']));
    await measure(served, Math.round(watchers / STREAMS) * STREAMS);
  });
}

async function measure(served: ServedReaders, watchers: number): Promise<void> {
  const { target, readers } = served;
  await seedWith(target, UPDATED, (i) => [configMapPath(), configMap(i)]);
  const from = await resourceVersion(target);
  const plan: WatchPlan = { path: `${configMapPath()}?watch=true&resourceVersion=${from}`, first: 0, stride: 1 };
  await using fleet = await WatcherFleet.open({
    targets: [target],
    protocol: 'h2',
    watchesPerConnection: STREAMS,
    watches: Array.from({ length: watchers }, () => plan),
  });
  await withConnections(target, 'h1', WRITERS, async (writers) => {
    const run = async (writes: number) => {
      const start = monotonicMs() + 200;
      await fleet.begin(start, 1000 / rate, writes);
      const schedule = { count: writes, due: (i: number) => start + (i * 1000) / rate, now: monotonicMs };
      await atRate(writers, schedule, async (writer, i) => {
        version += 1;
        const name = objectName(i % UPDATED);
        const body = configMap(i % UPDATED, version);
        const { status } = await writer.ask({ method: 'PUT', path: configMapPath(name), body });
        if (status !== 200) throw new Error(`an update was answered with ${status}`);
      });
      return { ...(await fleet.end(DRAIN_MS)), ms: monotonicMs() - start };
    };
    await run(rate * WARM_UP_SECONDS);
    const loops = [target.pid, ...readers];
    const before = loops.map((pid) => ({ loop: loopMicros(pid), all: cpuMicros(pid) }));
    const { latencies, delivered, lost, ended, cpuMicros: clients, ms } = await run(rate * Number(values.seconds));
    const cores = (micros: number): number => digits(micros / 1000 / ms);
    const used = loops.map((pid, at) => ({
      loop: cores(loopMicros(pid) - (before[at]?.loop ?? 0)),
      all: cores(cpuMicros(pid) - (before[at]?.all ?? 0)),
    }));
    const bench = `${watchers} watchers at ${rate} changes/s`;
    const facts = {
      loops: used.map(({ loop }) => loop),
      processes: used.map(({ all }) => all),
      clientCores: cores(clients),
      residentMiB: loops.map((pid) => Math.round(resident(pid).now / 1048576)),
      delivered,
      lost,
      watchesThatEnded: ended,
      load: digits(loadavg()[0] ?? 0),
    };
    record(target, {
      bench: `${bench}, busiest loop`,
      value: Math.max(...used.map(({ loop }) => loop)),
      unit: 'cores',
      ...facts,
    });
    record(target, { bench: `${bench}, p50`, value: latencies.percentile(0.5), unit: 'ms' });
    record(target, { bench: `${bench}, p99`, value: latencies.percentile(0.99), unit: 'ms' });
  });
}
