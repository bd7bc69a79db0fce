/** Single updates at a steady rate to 500 watchers of everything, as production has them. */

import { loadavg } from 'node:os';
import { atRate } from './at-rate.ts';
import type { Connection, Protocol } from './connection.ts';
import { FrameCounter } from './frame-counter.ts';
import { LatencyHistogram } from './latency-histogram.ts';
import { configMap, configMapPath, objectName } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { costOf } from './process-facts.ts';
import { resourceVersion } from './resource-version.ts';
import { digits, type Goal, record } from './result.ts';
import type { Target } from './target.ts';

const WATCHERS = 500;
const WRITERS = 32;
/** The objects that are updated, one after the other. */
const UPDATED = 100;
/** As many as a server lets into one HTTP/2 connection. */
const STREAMS = 100;
/** How long after the last update its deliveries may take. */
const DRAIN_MS = 30_000;
const WARM_UP_SECONDS = 2;

interface SteadyRate {
  /** Updates a second. */
  readonly rate: number;
  readonly p99?: Goal | undefined;
  readonly cpu?: Goal | undefined;
}

const RATES: readonly SteadyRate[] = [
  { rate: 10 },
  { rate: 40, p99: { atMost: 56 }, cpu: { atMost: 15 } },
  { rate: 200, p99: { atMost: 100 }, cpu: { atMost: 8 } },
];

/** What the watchers have seen of the updates. */
interface Steady {
  /** Different in every update: one without a change would send no event. */
  version: number;
  /** When each update was due, as the watchers see them. */
  due: number[];
  latencies: LatencyHistogram;
  /** From when an update was due to its answer. */
  answers: LatencyHistogram;
  missing: number;
  done: () => void;
}

/** What is measured. */
export interface SteadyOptions {
  /** How long each rate is held. */
  readonly seconds: number;
  /** Updates a second; default: all. */
  readonly rates: readonly number[];
}

/** Server CPU of one delivery, its share of the write included, and the latency from when the update was due. */
export async function benchSteadyFanOut(target: Target, options: SteadyOptions): Promise<void> {
  for (const protocol of ['h1', 'h2'] as const) await measure(target, protocol, options);
}

async function measure(target: Target, protocol: Protocol, { seconds, rates }: SteadyOptions): Promise<void> {
  const connections = protocol === 'h1' ? WATCHERS : WATCHERS / STREAMS;
  await withConnections(target, protocol, connections, async (readers) => {
    const steady: Steady = {
      version: Date.now() % 1e8,
      due: [],
      latencies: new LatencyHistogram(),
      answers: new LatencyHistogram(),
      missing: 0,
      done: () => {},
    };
    const from = await resourceVersion(target);
    const restarts: (() => void)[] = [];
    for (let i = 0; i < WATCHERS; i += 1) {
      restarts.push(await startWatcher(readers[i % readers.length], from, steady));
    }
    const run = (writers: readonly Connection[], rate: number, duration: number) => {
      for (const restart of restarts) restart();
      return runAtRate(writers, steady, rate, duration);
    };
    await withConnections(target, 'h1', WRITERS, async (writers) => {
      for (const wanted of RATES) {
        if (rates.length > 0 && !rates.includes(wanted.rate)) continue;
        await run(writers, wanted.rate, WARM_UP_SECONDS);
        await measureRate(target, protocol, wanted, steady, () => run(writers, wanted.rate, seconds));
      }
    });
  });
}

async function measureRate(
  target: Target,
  protocol: Protocol,
  { rate, p99, cpu }: SteadyRate,
  steady: Steady,
  work: () => Promise<number>,
): Promise<void> {
  let lost = 0;
  const { serverMicros, clientMicros, ms } = await costOf(target.pid, async () => {
    lost = await work();
  });
  const { latencies } = steady;
  const bench = `steady ${rate}/s ${protocol}`;
  const facts = {
    p50: latencies.percentile(0.5),
    worst: latencies.percentile(1),
    answerP50: steady.answers.percentile(0.5),
    answerP99: steady.answers.percentile(0.99),
    deliveries: latencies.count,
    lost,
    seconds: digits(ms / 1000),
    clientCpuMicros: digits(clientMicros / latencies.count),
    load: digits(loadavg()[0] ?? 0),
  };
  record(target, { bench: `${bench} p99`, value: latencies.percentile(0.99), unit: 'ms', goal: p99, ...facts });
  record(target, { bench, value: serverMicros / latencies.count, unit: 'us CPU', goal: cpu });
}

/** Writes at the rate, whether or not the server keeps up; the number of deliveries that did not come in time. */
async function runAtRate(
  writers: readonly Connection[],
  steady: Steady,
  rate: number,
  seconds: number,
): Promise<number> {
  const writes = rate * seconds;
  const start = performance.now() + 10;
  steady.due = Array.from({ length: writes }, (_, i) => start + (i * 1000) / rate);
  steady.latencies = new LatencyHistogram();
  steady.answers = new LatencyHistogram();
  steady.missing = writes * WATCHERS;
  const delivered = new Promise<void>((resolve) => {
    steady.done = resolve;
  });
  const schedule = { count: writes, due: (i: number) => steady.due[i] ?? 0, now: () => performance.now() };
  await atRate(writers, schedule, async (writer, i) => {
    steady.version += 1;
    const body = configMap(i % UPDATED, steady.version);
    const { status } = await writer.ask({ method: 'PUT', path: configMapPath(objectName(i % UPDATED)), body });
    if (status !== 200) throw new Error(`an update was answered with ${status}`);
    steady.answers.add(performance.now() - (steady.due[i] ?? 0));
  });
  const limit = setTimeout(() => steady.done(), DRAIN_MS);
  await delivered;
  clearTimeout(limit);
  return steady.missing;
}

/** Starts one; the function makes it count from the first update again. */
async function startWatcher(connection: Connection | undefined, from: string, steady: Steady): Promise<() => void> {
  const counter = new FrameCounter();
  let seen = 0;
  await connection?.watch(`${configMapPath()}?watch=true&resourceVersion=${from}`, (chunk) => {
    const events = counter.count(chunk);
    const now = performance.now();
    for (let i = 0; i < events; i += 1) {
      steady.latencies.add(now - (steady.due[seen] ?? now));
      seen += 1;
    }
    steady.missing -= events;
    if (steady.missing === 0) steady.done();
  });
  return () => {
    seen = 0;
  };
}
