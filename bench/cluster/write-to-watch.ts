/** The time from a write through one server to its event on each of the servers. */

import type { Connection } from '../server/connection.ts';
import { FrameCounter } from '../server/frame-counter.ts';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import { configMap, configMapPath, objectName } from '../server/objects.ts';
import { openConnection, withConnections } from '../server/open-connection.ts';
import { resourceVersion } from '../server/resource-version.ts';
import { record } from '../server/result.ts';
import type { Target } from '../server/target.ts';

const WRITES = 300;
const WARM_UP = 50;

/** Single updates, one after the other: each begins when all servers have delivered the one before. */
export async function benchWriteToWatch(servers: readonly Target[]): Promise<void> {
  const [first] = servers;
  if (first === undefined) return;
  const histograms = servers.map(() => new LatencyHistogram());
  await withConnections(first, 'h1', 1, async ([writer]) => {
    const watchers: Connection[] = [];
    let begun = 0;
    let missing = 0;
    let isWarm = false;
    let done: (() => void) | undefined;
    const from = await resourceVersion(first);
    for (const [i, server] of servers.entries()) {
      await startWatcher(server, from, watchers, () => {
        if (isWarm) histograms[i]?.add(performance.now() - begun);
        missing -= 1;
        if (missing === 0) done?.();
      });
    }
    for (let n = 0; n < WARM_UP + WRITES; n += 1) {
      isWarm = n >= WARM_UP;
      missing = servers.length;
      const delivered = new Promise<void>((resolve) => {
        done = resolve;
      });
      begun = performance.now();
      const path = configMapPath(objectName(0));
      const answer = await writer?.ask({ method: 'PUT', path, body: configMap(0, 1_000_000 + n) });
      if (answer?.status !== 200) throw new Error(`an update was answered with ${String(answer?.status)}`);
      await delivered;
    }
    for (const watcher of watchers) watcher.close();
  });
  for (const [i, server] of servers.entries()) {
    const where = i === 0 ? 'same server' : `server ${i + 1}`;
    for (const share of [0.5, 0.99]) {
      const value = histograms[i]?.percentile(share) ?? 0;
      record(server, { bench: `write to watch, ${where}, p${share * 100}`, value, unit: 'ms' });
    }
  }
}

async function startWatcher(server: Target, from: string, opened: Connection[], onEvent: () => void): Promise<void> {
  const connection = await openConnection(server, 'h1');
  opened.push(connection);
  const counter = new FrameCounter();
  await connection.watch(`${configMapPath()}?watch=true&resourceVersion=${from}`, (chunk) => {
    for (let events = counter.count(chunk); events > 0; events -= 1) onEvent();
  });
}
