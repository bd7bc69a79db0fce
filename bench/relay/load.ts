/** A start of the relay in front of 100 000 objects of 1.5 KB: until it is ready, and its memory above an empty one. */

import { createFirst, seedEtcd } from '../server/load.ts';
import { configMapPath, objectName } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { cpuMicros, resident } from '../server/process-facts.ts';
import { digits, middle, record } from '../server/result.ts';
import { inScratch } from '../storage/scratch.ts';
import { startUpstream } from './measured-upstream.ts';
import type { RelayStage } from './relay-stage.ts';
import { ServedRelay } from './served-relay.ts';

const OBJECTS = 100_000;
const GOAL_TIMES_BYTES = 2;
const GOAL_READY_MS = 4000;
const GOAL_JOURNAL_MS = 2500;
/** For garbage to be collected, as far as it is by itself. */
const SETTLE_MS = 10_000;

/** A kube-apiserver of its own, for its etcd is filled behind its back. */
export async function benchLoad({ plan, rounds }: Pick<RelayStage, 'plan' | 'rounds'>): Promise<void> {
  await inScratch(async (folder) => {
    await using upstream = await startUpstream(folder, false);
    const { etcdEndpoint: endpoint, kubeconfig, target: server } = upstream;
    if (endpoint === undefined) throw new Error('this needs a kube-apiserver: KUBE_APISERVER_BIN');
    await createFirst(server);
    const fresh = { ...plan, folder, kubeconfig, token: server.token };
    const empty = await bytesOf(fresh);
    await seedEtcd({ endpoint, root: '/registry' }, OBJECTS);
    const { bytes: json } = await withConnections(server, 'h1', 1, async ([connection]) => {
      const last = await connection?.ask({ path: configMapPath(objectName(OBJECTS - 1)) });
      if (last?.status !== 200) throw new Error(`the last object: ${last?.status}`);
      return last;
    });
    await using relay = new ServedRelay(fresh);
    const starts: { readonly readyMs: number; readonly cpuSeconds: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await relay.end('SIGKILL');
      const { readyMs } = await relay.start();
      starts.push({ readyMs, cpuSeconds: cpuMicros(relay.target.pid) / 1e6 });
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const { own, peak } = resident(relay.target.pid);
    const { target } = relay;
    const bench = `${OBJECTS} objects of ${json} bytes`;
    const isJournaled = plan.flags?.some((flag) => flag.startsWith('--journal')) === true;
    // The first start had nothing to begin with.
    const later = isJournaled ? starts.slice(1) : starts;
    record(target, {
      bench: `${bench}, ready${isJournaled ? ' from the journal' : ''}`,
      value: middle(later.map(({ readyMs }) => readyMs)),
      unit: 'ms',
      goal: { atMost: isJournaled ? GOAL_JOURNAL_MS : GOAL_READY_MS },
      all: starts.map(({ readyMs }) => Math.round(readyMs)),
      cpuSeconds: starts.map(({ cpuSeconds }) => digits(cpuSeconds)),
    });
    record(target, {
      bench: `${bench}, memory above empty`,
      value: (own - empty) / (json * OBJECTS),
      unit: 'times the JSON',
      goal: { atMost: GOAL_TIMES_BYTES },
      emptyMb: Math.round(empty / 1e6),
      fullMb: Math.round(own / 1e6),
      peakMb: Math.round(peak / 1e6),
    });
  });
}

async function bytesOf(plan: RelayStage['plan']): Promise<number> {
  await using relay = new ServedRelay(plan);
  await relay.start();
  return resident(relay.target.pid).own;
}
