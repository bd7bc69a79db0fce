/** A burst of updates to 3 000 watchers that are spread over the servers. */

import { FrameCounter } from '../server/frame-counter.ts';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import { configMap, configMapPath, objectName, spread } from '../server/objects.ts';
import { openConnections, withConnections } from '../server/open-connection.ts';
import { cpuMicros } from '../server/process-facts.ts';
import { resourceVersion } from '../server/resource-version.ts';
import { record } from '../server/result.ts';
import type { Target } from '../server/target.ts';

const WATCHERS = 3000;
/** As many as a server lets into one HTTP/2 connection. */
const STREAMS = 100;
const WRITES = 100;
const WRITERS = 16;
const ROUNDS = 3;

/** CPU of all servers for one delivery, deliveries a second, and the latency. */
export async function benchSpreadFanOut(servers: readonly Target[]): Promise<void> {
  const [first] = servers;
  if (first === undefined) return;
  const perServer = WATCHERS / servers.length;
  const begun: number[] = [];
  let latencies = new LatencyHistogram();
  let missing = 0;
  let done: (() => void) | undefined;
  const from = await resourceVersion(first);
  const connections = (
    await Promise.all(servers.map((server) => openConnections(server, 'h2', perServer / STREAMS)))
  ).flat();
  for (let i = 0; i < WATCHERS; i += 1) {
    const counter = new FrameCounter();
    let seen = 0;
    await connections[i % connections.length]?.watch(
      `${configMapPath()}?watch=true&resourceVersion=${from}`,
      (chunk) => {
        const events = counter.count(chunk);
        const now = performance.now();
        for (let event = 0; event < events; event += 1) {
          latencies.add(now - (begun[seen % WRITES] ?? now));
          seen += 1;
        }
        missing -= events;
        if (missing === 0) done?.();
      },
    );
  }
  const cpu = (): number => servers.reduce((sum, { pid }) => sum + cpuMicros(pid), 0);
  await withConnections(first, 'h1', WRITERS, async (writers) => {
    for (let round = 0; round <= ROUNDS; round += 1) {
      latencies = new LatencyHistogram();
      begun.length = 0;
      missing = WATCHERS * WRITES;
      const delivered = new Promise<void>((resolve) => {
        done = resolve;
      });
      const before = cpu();
      const started = performance.now();
      await spread(writers, WRITES, async (writer, i) => {
        begun.push(performance.now());
        const body = configMap(i, 2_000_000 + round * WRITES + i);
        await writer.ask({ method: 'PUT', path: configMapPath(objectName(i)), body });
      });
      await delivered;
      // The first round warms up.
      if (round < ROUNDS) continue;
      const deliveries = WATCHERS * WRITES;
      const cluster = { ...first, name: 'cluster' };
      record(cluster, { bench: 'fan-out', value: (cpu() - before) / deliveries, unit: 'us CPU' });
      const rate = (deliveries / (performance.now() - started)) * 1000;
      record(cluster, { bench: 'fan-out rate', value: rate, unit: 'deliveries/s' });
      record(cluster, { bench: 'fan-out p50', value: latencies.percentile(0.5), unit: 'ms' });
      record(cluster, { bench: 'fan-out p99', value: latencies.percentile(0.99), unit: 'ms' });
    }
  });
  for (const connection of connections) connection.close();
}
