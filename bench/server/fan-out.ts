/** A burst of updates to 500 watchers of everything. */

import type { Connection, Protocol } from './connection.ts';
import { FrameCounter } from './frame-counter.ts';
import { configMap, configMapPath, NAMESPACE, objectName, spread } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { costOf } from './process-facts.ts';
import { resourceVersion } from './resource-version.ts';
import { digits, middle, percentile99, record } from './result.ts';
import type { Target } from './target.ts';

const WATCHERS = 500;
const WRITES = 400;
const WRITERS = 16;
const ROUNDS = 5;
/** As many as a server lets into one HTTP/2 connection. */
const STREAMS = 100;
const GOAL_MICROS = 4.5;
const H2_RATIO = 1.5;

/** What is measured. */
export interface FanOutOptions {
  /** What the results are called. Default: `fan-out`. */
  readonly bench?: string | undefined;
  /** Of the updated objects. Default: that of all. */
  readonly payload?: string | undefined;
}

/** Server CPU for one delivery (its share of the writes included), deliveries a second, and the p99 of their latency. */
export async function benchFanOut(target: Target, options: FanOutOptions = {}): Promise<void> {
  const { bench = 'fan-out' } = options;
  const h1 = await measure(target, 'h1', options);
  const h2 = await measure(target, 'h2', options);
  record(target, { bench: `${bench} h2/h1`, value: h2 / h1, unit: 'ratio', goal: { atMost: H2_RATIO } });
}

/** When each write began, and how long after it each watcher had it. */
interface Burst {
  readonly begun: number[];
  readonly latencies: number[];
  missing: number;
  done: () => void;
}

async function measure(
  target: Target,
  protocol: Protocol,
  { bench = 'fan-out', payload }: FanOutOptions,
): Promise<number> {
  const connections = protocol === 'h1' ? WATCHERS : WATCHERS / STREAMS;
  const cpu: number[] = [];
  const rate: number[] = [];
  const p99: number[] = [];
  const client: number[] = [];
  await withConnections(target, protocol, connections, async (readers) => {
    const burst: Burst = { begun: [], latencies: [], missing: 0, done: () => {} };
    const from = await resourceVersion(target);
    for (let i = 0; i < WATCHERS; i += 1) await startWatcher(readers[i % readers.length], from, burst);
    await withConnections(target, 'h1', WRITERS, async (writers) => {
      for (let round = 0; round <= ROUNDS; round += 1) {
        const { serverMicros, clientMicros, ms } = await costOf(target.pid, () => run(writers, burst, round, payload));
        // The first round warms up.
        if (round === 0) continue;
        const deliveries = WATCHERS * WRITES;
        cpu.push(serverMicros / deliveries);
        client.push(clientMicros / deliveries);
        rate.push((deliveries / ms) * 1000);
        p99.push(percentile99(burst.latencies));
      }
    });
  });
  const goal = protocol === 'h1' ? { atMost: GOAL_MICROS } : undefined;
  record(target, {
    bench: `${bench} ${protocol}`,
    value: middle(cpu),
    unit: 'us CPU',
    goal,
    least: digits(Math.min(...cpu)),
    clientCpuMicros: digits(middle(client)),
  });
  record(target, { bench: `${bench} rate ${protocol}`, value: middle(rate), unit: 'deliveries/s' });
  record(target, { bench: `${bench} p99 ${protocol}`, value: middle(p99), unit: 'ms' });
  return middle(cpu);
}

async function run(
  writers: readonly Connection[],
  burst: Burst,
  version: number,
  payload: string | undefined,
): Promise<void> {
  burst.begun.length = 0;
  burst.latencies.length = 0;
  burst.missing = WATCHERS * WRITES;
  const delivered = new Promise<void>((resolve) => {
    burst.done = resolve;
  });
  await spread(writers, WRITES, async (writer, i) => {
    burst.begun.push(performance.now());
    const body = configMap(i, version * WRITES + i + 1, NAMESPACE, payload);
    const { status } = await writer.ask({ method: 'PUT', path: configMapPath(objectName(i)), body });
    if (status !== 200) throw new Error(`an update was answered with ${status}`);
  });
  await delivered;
}

async function startWatcher(connection: Connection | undefined, from: string, burst: Burst): Promise<void> {
  const counter = new FrameCounter();
  let seen = 0;
  await connection?.watch(`${configMapPath()}?watch=true&resourceVersion=${from}`, (chunk) => {
    const events = counter.count(chunk);
    const now = performance.now();
    for (let i = 0; i < events; i += 1) {
      burst.latencies.push(now - (burst.begun[seen % WRITES] ?? now));
      seen += 1;
    }
    burst.missing -= events;
    if (burst.missing === 0) burst.done();
  });
}
