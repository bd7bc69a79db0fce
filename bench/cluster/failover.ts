/** How long an informer misses changes when the server that it uses is killed. */

import { connect } from '@listwatch/client';
import { configMaps } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import { configMap, configMapPath, objectName } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import type { OwnServer } from '../server/own-server.ts';
import { record } from '../server/result.ts';

const INFORMERS = 20;
const WRITE_EVERY_MS = 20;
const GOAL_MS = 1000;
const PATIENCE_MS = 60_000;

/** Kills the first server; the informers prefer it. Writes go on through the last one. */
export async function benchFailover(servers: readonly OwnServer[]): Promise<void> {
  const [first] = servers;
  const last = servers.at(-1);
  if (first === undefined || last === undefined) return;
  const cluster = await connect({
    servers: servers.map(({ url }) => url),
    serverOrder: 'listed',
    token: first.token,
    insecureSkipTlsVerify: true,
  });
  const informers = Array.from({ length: INFORMERS }, () => informer(cluster, configMaps));
  await Promise.all(informers.map(({ synced }) => synced));
  const seen: number[] = informers.map(() => 0);
  const target = `/${objectName(0)}`;
  for (const [i, one] of informers.entries()) {
    void (async () => {
      for await (const change of one.changes()) {
        if (change.key.endsWith(target)) seen[i] = Number(change.object.metadata.resourceVersion);
      }
    })();
  }
  const latencies = new LatencyHistogram();
  await withConnections(last, 'h1', 1, async ([writer]) => {
    const write = async (n: number): Promise<number> => {
      const question = { method: 'PUT', path: configMapPath(objectName(0)), body: configMap(0, n), keep: true };
      const answer = await writer?.ask(question);
      return Number(/"resourceVersion":"(\d+)"/u.exec(answer?.body ?? '')?.[1]);
    };
    const before = await write(3_000_000);
    await until(() => seen.every((version) => version >= before));
    const killed = performance.now();
    await first.kill();
    const after = await write(3_000_001);
    const waiting = new Set(informers.keys());
    for (let n = 3_000_002; waiting.size > 0; n += 1) {
      for (const i of waiting) {
        if ((seen[i] ?? 0) < after) continue;
        waiting.delete(i);
        latencies.add(performance.now() - killed);
      }
      if (performance.now() - killed > PATIENCE_MS) throw new Error(`${waiting.size} informers never came back`);
      await write(n);
      await sleep(WRITE_EVERY_MS);
    }
  });
  await Promise.all(informers.map((one) => one.close()));
  await cluster.close();
  for (const share of [0.5, 0.99]) {
    const goal = share === 0.99 ? { atMost: GOAL_MS } : undefined;
    const value = latencies.percentile(share);
    record({ name: 'cluster' }, { bench: `failover of an informer, p${share * 100}`, value, unit: 'ms', goal });
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error('the informers do not follow');
    await sleep(5);
  }
}
