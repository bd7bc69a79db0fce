/** Consistent lists of everything: of a kind that changes, and of one that is quiet while others change. */

import { monotonicMs } from '../capacity/watcher-plan.ts';
import { atRate } from '../server/at-rate.ts';
import type { Connection } from '../server/connection.ts';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import { configMap, configMapPath, create, NAMESPACE, OBJECTS, objectName } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { cpuMicros } from '../server/process-facts.ts';
import { digits, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import type { RelayStage } from './relay-stage.ts';
import { ServedRelay } from './served-relay.ts';

const LISTS = 50;
/** kube-apiserver cannot answer as many on two cores: what one costs says enough. */
const DIRECT_LISTS = 5;
const WRITES = 10;
const READERS = 16;
const LEAST_BYTES = OBJECTS * 1500;
const GOAL_UPSTREAM_CORES = 0.05;
const GOAL_RELAY_CORES = 0.65;
const GOAL_P99_MS = 200;
const GOAL_QUIET_P99_MS = 2500;
/** Another kind: kube-apiserver takes a change of a Secret without its version, and of a Lease it does not. */
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;

interface ListLoad {
  readonly target: Target;
  readonly writeTo: Target;
  readonly lists: number;
  readonly seconds: number;
  /** Changes ConfigMaps, or a Secret. */
  readonly write: (writer: Connection, i: number) => Promise<unknown>;
  readonly pids: readonly number[];
}

/** CPU of both, with the writes, whose own cost is taken off the upstream's. */
export async function benchLists({ upstream, plan, seconds, direct }: RelayStage): Promise<void> {
  const server = upstream.target;
  await withConnections(server, 'h1', 1, ([connection]) => create(connection, SECRETS, secret(0)));
  let version = Date.now() % 1e8;
  const change = (writer: Connection, i: number): Promise<unknown> => {
    version += 1;
    const name = objectName(i % 100);
    return put(writer, configMapPath(name), configMap(i % 100, version));
  };
  const load = { writeTo: server, seconds, write: change };
  const idle = await run({ ...load, target: server, lists: 0, pids: [server.pid] });
  const writes = idle.used[0] ?? 0;
  if (direct) {
    const { used, latencies } = await run({ ...load, target: server, lists: DIRECT_LISTS, pids: [server.pid] });
    const value = (((used[0] ?? 0) - writes) / DIRECT_LISTS) * LISTS;
    const facts = { ran: DIRECT_LISTS, p50: latencies.percentile(0.5), p99: latencies.percentile(0.99) };
    record(server, { bench: `${LISTS} lists/s, upstream`, value, unit: 'cores', ...facts });
  }
  await using relay = new ServedRelay(plan);
  await relay.start();
  const { target } = relay;
  const pids = [server.pid, target.pid];
  await run({ ...load, target, lists: LISTS, seconds: 3, pids });
  const passed = await relay.metric('listwatch_relay_passed_requests_total');
  const busy = await run({ ...load, target, lists: LISTS, pids });
  const passes = (await relay.metric('listwatch_relay_passed_requests_total')) - passed;
  const bench = `${LISTS} lists/s, ${WRITES} changes/s`;
  const [upstreamCores = 0, relayCores = 0] = busy.used;
  record(target, {
    bench: `${bench}, upstream beyond the writes`,
    value: upstreamCores - writes,
    unit: 'cores',
    goal: { atMost: GOAL_UPSTREAM_CORES },
    passes,
  });
  const goal = { atMost: GOAL_RELAY_CORES };
  record(target, { bench: `${bench}, relay`, value: relayCores, unit: 'cores', goal, clientCores: busy.clientCores });
  report(target, bench, busy.latencies, GOAL_P99_MS);
  const before = await relay.metric('listwatch_relay_passed_requests_total');
  const quiet = await run({ ...load, target, write: changeOther, lists: 5, pids });
  const large = (await relay.metric('listwatch_relay_passed_requests_total')) - before;
  const name = `5 lists/s of a quiet kind, ${WRITES} changes/s of another`;
  const [quietUpstream = 0] = quiet.used;
  record(target, {
    bench: `${name}, large passes`,
    value: large,
    unit: 'lists',
    goal: { atMost: 0 },
    upstreamCores: digits(quietUpstream - writes),
  });
  report(target, name, quiet.latencies, GOAL_QUIET_P99_MS);
}

function changeOther(writer: Connection, i: number): Promise<unknown> {
  return put(writer, `${SECRETS}/other`, secret(i + 1));
}

async function put(writer: Connection, path: string, body: string): Promise<void> {
  const { status } = await writer.ask({ method: 'PUT', path, body });
  if (status !== 200) throw new Error(`PUT ${path} was answered with ${status}`);
}

function report(target: Target, bench: string, latencies: LatencyHistogram, atMost: number): void {
  const value = latencies.percentile(0.99);
  const facts = { p50: latencies.percentile(0.5), worst: latencies.percentile(1), lists: latencies.count };
  record(target, { bench: `${bench}, p99`, value, unit: 'ms', goal: { atMost }, ...facts });
}

async function run({ target, writeTo, lists, seconds, write, pids }: ListLoad) {
  const latencies = new LatencyHistogram();
  const before = pids.map(cpuMicros);
  const own = process.cpuUsage();
  const start = monotonicMs() + 100;
  const every = (rate: number) => ({
    count: rate * seconds,
    due: (i: number) => start + (i * 1000) / rate,
    now: monotonicMs,
  });
  await withConnections(target, 'h2', READERS, (readers) =>
    withConnections(writeTo, 'h1', 2, async (writers) => {
      const reading = every(lists);
      await Promise.all([
        atRate(writers, every(WRITES), write),
        atRate(readers, reading, async (reader, i) => {
          const { status, bytes } = await reader.ask({ path: configMapPath() });
          if (status !== 200 || bytes < LEAST_BYTES) throw new Error(`a list: ${status}, ${bytes} bytes`);
          latencies.add(monotonicMs() - reading.due(i));
        }),
      ]);
    }),
  );
  const ms = monotonicMs() - start;
  const { user, system } = process.cpuUsage(own);
  const used = pids.map((pid, at) => (cpuMicros(pid) - (before[at] ?? 0)) / 1000 / ms);
  return { latencies, used, clientCores: digits((user + system) / 1000 / ms) };
}

function secret(changes: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'other', namespace: NAMESPACE },
    stringData: { changes: String(changes) },
  });
}
