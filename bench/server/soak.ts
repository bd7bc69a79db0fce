/**
 * The soak: 1 000 watchers, half of them slow, and steady writes. Memory must stay flat and no watcher may starve.
 * `SOAK_MINUTES` says how long (10); the exit code is 1 when something is wrong.
 */

import { report } from '../storage/measure.ts';
import { inScratch } from '../storage/scratch.ts';
import { type MemorySample, memorySlope } from './memory-slope.ts';
import { create, NAMESPACE, seed } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { startOwnServer } from './own-server.ts';
import { cpuMicros, resident } from './process-facts.ts';
import { resourceVersion } from './resource-version.ts';
import { type Pace, SoakWatcher } from './soak-watcher.ts';
import { startWriter } from './soak-writer.ts';

const WATCHERS = 1000;
/** Half of them slow, and half of these not reading at all. */
const PACES: readonly Pace[] = ['fast', 'slow', 'fast', 'stuck'];
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10);
const WRITES_PER_SECOND = 40;
const SAMPLE_EVERY_MS = 5000;
/** The window, the code caches and the heap fill first; only what comes after counts. */
const WARM_UP_SHARE = 0.4;
/** Below this a slope is the noise of the garbage collector. */
const FLAT_BYTES_PER_MINUTE = 3e6;
/** Whoever reads has an event at the latest after this. */
const STARVED_MS = 10_000;

if (!(MINUTES > 0)) throw new RangeError(`SOAK_MINUTES must be a number above 0, not ${process.env['SOAK_MINUTES']}`);

const failures: string[] = [];
await inScratch(async (folder) => {
  const server = await startOwnServer({ folder, storage: 'lmdb', fromSource: true });
  try {
    await seed(server);
    await withConnections(server, 'h1', WATCHERS, async (connections) => {
      const from = await resourceVersion(server);
      const watchers = connections.map(
        (connection, i) => new SoakWatcher(server, connection, PACES[i % PACES.length] ?? 'fast'),
      );
      for (const watcher of watchers) await watcher.start(from);
      const writer = await startWriter(server, WRITES_PER_SECOND);
      const samples = await watchMemory(server.pid, watchers, () => writer.writes);
      await writer.stop();
      for (const watcher of watchers) watcher.stop();
      judge(samples, watchers, writer.writes);
    });
    await withConnections(server, 'h1', 1, ([connection]) => {
      return create(connection, `/api/v1/namespaces/${NAMESPACE}/configmaps`, '{"metadata":{"name":"still-alive"}}');
    });
  } finally {
    await server.stop();
  }
});
for (const failure of failures) console.error(`soak failed: ${failure}`);
if (failures.length > 0) process.exitCode = 1;

/** Looks at the server until the time is up; one line each time. */
async function watchMemory(
  pid: number,
  watchers: readonly SoakWatcher[],
  writes: () => number,
): Promise<readonly MemorySample[]> {
  const samples: MemorySample[] = [];
  const started = performance.now();
  const end = started + MINUTES * 60_000;
  const startedCpu = cpuMicros(pid);
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(SAMPLE_EVERY_MS, end - performance.now())));
    const seconds = Math.round((performance.now() - started) / 1000);
    const { now, own } = resident(pid);
    // The history grows in the store's file, and its mapped pages with it; that is the disk's matter.
    samples.push({ minutes: (performance.now() - started) / 60_000, bytes: own });
    const events = watchers.reduce((sum, watcher) => sum + watcher.events, 0);
    const reconnects = watchers.reduce((sum, watcher) => sum + watcher.reconnects, 0);
    const starved = watchers.filter((watcher) => watcher.silentMs > STARVED_MS).length;
    const cpuSeconds = (cpuMicros(pid) - startedCpu) / 1e6;
    report({
      bench: 'soak',
      seconds,
      residentMb: Math.round(now / 1e6),
      ownMb: Math.round(own / 1e6),
      writes: writes(),
      events,
      reconnects,
      starved,
      cpuSeconds,
    });
    if (starved > 0) failures.push(`${starved} watchers starved after ${seconds} s`);
  }
  return samples;
}

function judge(samples: readonly MemorySample[], watchers: readonly SoakWatcher[], writes: number): void {
  const slope = memorySlope(samples.slice(Math.floor(samples.length * WARM_UP_SHARE)));
  const fast = watchers.filter((watcher) => watcher.pace === 'fast');
  const leastFast = Math.min(...fast.map((watcher) => watcher.events));
  const reconnects = fast.reduce((sum, watcher) => sum + watcher.reconnects, 0);
  const mbPerMinute = Number((slope / 1e6).toFixed(2));
  report({
    bench: 'soak',
    result: true,
    minutes: MINUTES,
    writes,
    leastFast,
    fastReconnects: reconnects,
    mbPerMinute,
    ownMb: samples.map(({ bytes }) => Math.round(bytes / 1e6)),
  });
  if (slope > FLAT_BYTES_PER_MINUTE) failures.push(`memory grows by ${mbPerMinute} MB a minute`);
  if (leastFast < writes * 0.99) failures.push(`a fast watcher saw ${leastFast} of ${writes} changes`);
  if (reconnects > 0) failures.push(`fast watchers were cut off ${reconnects} times`);
}
