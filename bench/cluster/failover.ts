/** How long informers miss changes when the server that they use is killed. */

import { type Cluster, connect } from '@listwatch/client';
import { configMaps } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import { configMap, configMapPath, objectName } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import type { OwnServer } from '../server/own-server.ts';
import { record } from '../server/result.ts';

const CLIENTS = 5;
const INFORMERS_PER_CLIENT = 10;
/** How often each server is killed. */
const KILLS = 3;
const WRITE_EVERY_MS = 20;
const GOAL_MS = 1000;
const PATIENCE_MS = 60_000;

/** A cluster whose servers are killed and started again. */
export interface MortalCluster {
  /** Those that run now. */
  readonly servers: readonly OwnServer[];
  /** Starts a killed server again, at its old port. */
  restart(index: number): Promise<void>;
}

/** Kills one server after the other. The informers of a round prefer the one that is killed; writes go through another. */
export async function benchFailover(mortal: MortalCluster): Promise<void> {
  const latencies = new LatencyHistogram();
  let longest = 0;
  const rounds = KILLS * mortal.servers.length;
  for (let round = 0; round < rounds; round += 1) {
    const index = round % mortal.servers.length;
    for (const ms of await measureKill(mortal.servers, index, round)) {
      latencies.add(ms);
      longest = Math.max(longest, ms);
    }
    await mortal.restart(index);
  }
  const facts = { kills: rounds, informers: rounds * CLIENTS * INFORMERS_PER_CLIENT, longestMs: Math.round(longest) };
  for (const share of [0.5, 0.99]) {
    const goal = share === 0.99 ? { atMost: GOAL_MS } : undefined;
    const value = latencies.percentile(share);
    record(
      { name: 'cluster' },
      { bench: `failover of an informer, p${share * 100}`, value, unit: 'ms', goal, ...facts },
    );
  }
}

/** Of each informer the time from the kill to the first change that was written after it. */
async function measureKill(servers: readonly OwnServer[], index: number, round: number): Promise<readonly number[]> {
  const victim = servers[index];
  const other = servers[(index + 1) % servers.length];
  if (victim === undefined || other === undefined) throw new Error('a failover needs two servers');
  const order = [...servers.slice(index), ...servers.slice(0, index)].map(({ url }) => url);
  const clusters: Cluster[] = [];
  for (let i = 0; i < CLIENTS; i += 1) {
    const access = { token: victim.token, insecureSkipTlsVerify: true };
    clusters.push(await connect({ servers: order, serverOrder: 'listed', ...access }));
  }
  const informers = clusters.flatMap((cluster) =>
    Array.from({ length: INFORMERS_PER_CLIENT }, () => informer(cluster, configMaps)),
  );
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
  const times: number[] = [];
  await withConnections(other, 'h1', 1, async ([writer]) => {
    const write = async (n: number): Promise<number> => {
      const body = configMap(0, 3_000_000 + round * 10_000 + n);
      const answer = await writer?.ask({ method: 'PUT', path: configMapPath(objectName(0)), body, keep: true });
      return Number(/"resourceVersion":"(\d+)"/u.exec(answer?.body ?? '')?.[1]);
    };
    const before = await write(0);
    await until(() => seen.every((version) => version >= before));
    const killed = performance.now();
    await victim.kill();
    const after = await write(1);
    const waiting = new Set(informers.keys());
    for (let n = 2; waiting.size > 0; n += 1) {
      for (const i of waiting) {
        if ((seen[i] ?? 0) < after) continue;
        waiting.delete(i);
        times.push(performance.now() - killed);
      }
      if (performance.now() - killed > PATIENCE_MS) throw new Error(`${waiting.size} informers never came back`);
      await write(n);
      await sleep(WRITE_EVERY_MS);
    }
  });
  await Promise.all(informers.map((one) => one.close()));
  await Promise.all(clusters.map((cluster) => cluster.close()));
  return times;
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
