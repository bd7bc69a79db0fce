/** One workload, held for a while: what the model says, and what is measured. */

import { loadavg } from 'node:os';
import { type EtcdProcess, startEtcd } from '@listwatch/conformance/parts';
import { atRate } from '../server/at-rate.ts';
import type { Connection, Question } from '../server/connection.ts';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import { seedWith } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { type Engine, type OwnServer, startOwnServer } from '../server/own-server.ts';
import { cpuMicros, loopMicros, resident } from '../server/process-facts.ts';
import { resourceVersion } from '../server/resource-version.ts';
import { digits, record } from '../server/result.ts';
import { settledBytes } from '../server/settled-bytes.ts';
import type { Target } from '../server/target.ts';
import { report } from '../storage/measure.ts';
import { inScratch } from '../storage/scratch.ts';
import { type Prediction, predict, type Workload } from './capacity-model.ts';
import { fillStore, type StoreFill } from './fill-store.ts';
import { requireOpenFiles } from './open-files.ts';
import type { UnitCosts } from './unit-costs.ts';
import { type FleetReport, WatcherFleet } from './watcher-fleet.ts';
import { monotonicMs, type WatchPlan } from './watcher-plan.ts';

const WRITERS = 16;
const LISTERS = 4;
const WARM_UP_SECONDS = 5;
/** How long after the last write its deliveries may take. */
const DRAIN_MS = 30_000;

/** What is done to the server; the model knows the size of the objects when they are there. */
export interface Point {
  readonly bench: string;
  readonly storage: Engine;
  readonly workload: Omit<Workload, 'objectBytes'> & { readonly seconds: number };
  /** Where the objects are. */
  readonly path: string;
  /** Object 0, and how the others are made from it. */
  readonly first: string;
  readonly fill: StoreFill;
  write(i: number): Question;
  watches(from: string): readonly WatchPlan[];
  /** Something else that only a server with all of these objects shows; at the end. */
  alsoMeasure?(server: Target): Promise<void>;
}

/** Runs it; about a minute longer than its load lasts. */
export async function runPoint(point: Point, costs: UnitCosts): Promise<void> {
  requireOpenFiles(connectionsOf(point));
  const etcd = point.storage === 'etcd' ? await startEtcd() : undefined;
  try {
    await inScratch((folder) => measure(point, costs, folder, etcd));
  } finally {
    await etcd?.stop();
  }
}

async function measure(point: Point, costs: UnitCosts, folder: string, etcd?: EtcdProcess): Promise<void> {
  const { storage, workload } = point;
  const endpoints = etcd && [etcd.endpoint];
  const start = (): Promise<OwnServer> => startOwnServer({ folder, storage, endpoints });
  const first = await start();
  const emptyMicros = cpuMicros(first.pid);
  try {
    await seedWith(first, 1, () => [point.path, point.first]);
  } finally {
    await first.stop();
  }
  await fillStore({ storage, folder, endpoints }, point.fill);
  // Started again, it holds the objects and none of the changes, as a server that has run for a while.
  const server = await start();
  try {
    const loadSeconds = (cpuMicros(server.pid) - emptyMicros) / 1e6;
    const objectBytes = await sizeOf(server, point.path);
    const predicted = predict({ ...workload, objectBytes, seconds: workload.seconds + WARM_UP_SECONDS }, costs);
    const withObjects = await settledBytes(server);
    const openStarted = performance.now();
    await using fleet = await WatcherFleet.open({
      targets: [server],
      protocol: workload.transport,
      watchesPerConnection: perConnection(point),
      watches: point.watches(await resourceVersion(server, point.path)),
    });
    const openSeconds = digits((performance.now() - openStarted) / 1000);
    const withWatchers = await settledBytes(server);
    await hold(point, server, fleet, WARM_UP_SECONDS);
    const held = await hold(point, server, fleet, workload.seconds);
    const peakBytes = resident(server.pid).own;
    const settled = await settledBytes(server);
    report({
      bench: point.bench,
      target: server.name,
      objects: workload.objects,
      objectBytes: digits(objectBytes),
      followers: workload.followers,
      selectors: workload.selectors,
      writes: workload.writes,
      lists: workload.lists ?? 0,
      readyMs: digits(server.readyMs),
      openSeconds,
      withObjectsMb: mega(withObjects),
      withWatchersMb: mega(withWatchers),
      afterLoadMb: mega(peakBytes),
      predicted: rounded(predicted),
    });
    showHeld(point, held);
    await point.alsoMeasure?.(server);
    compare(point, 'start', 's CPU', predicted.loadSeconds, loadSeconds);
    compare(point, 'memory', 'MB', predicted.memoryBytes.all / 1e6, settled / 1e6);
    compare(
      point,
      'memory of the objects',
      'MB',
      (predicted.memoryBytes.base + predicted.memoryBytes.objects) / 1e6,
      withObjects / 1e6,
    );
    compare(
      point,
      'memory of the watchers',
      'MB',
      predicted.memoryBytes.watchers / 1e6,
      (withWatchers - withObjects) / 1e6,
    );
    compare(point, 'CPU', 'cores', predicted.cores.all, held.cores);
    compare(point, 'network', 'MB/s', predicted.networkBytes / 1e6, held.bytesPerSecond / 1e6);
  } finally {
    await server.kill();
  }
}

interface Held extends FleetReport {
  readonly seconds: number;
  readonly cores: number;
  /** Of the event loop alone. */
  readonly loop: number;
  readonly bytesPerSecond: number;
  readonly answers: LatencyHistogram;
}

/** Writes and lists at their rates; resolves when everything has been delivered or was given up. */
async function hold(point: Point, server: Target, fleet: WatcherFleet, seconds: number): Promise<Held> {
  const { writes, lists = 0 } = point.workload;
  const answers = new LatencyHistogram();
  let listed = 0;
  return withConnections(server, 'h1', WRITERS + LISTERS, async (connections) => {
    const start = monotonicMs() + 500;
    await fleet.begin(start, 1000 / writes, writes * seconds);
    const [cpu, loop] = [cpuMicros(server.pid), loopMicros(server.pid)];
    const schedule = (rate: number): Parameters<typeof atRate>[1] => ({
      count: Math.floor(rate * seconds),
      due: (i) => start + (i * 1000) / rate,
      now: monotonicMs,
    });
    const path = `${point.path}?limit=${point.workload.objectsPerList ?? 0}`;
    await Promise.all([
      atRate(connections.slice(0, WRITERS), schedule(writes), async (connection, i) => {
        const bytes = await ask(connection, point.write(i));
        listed += bytes;
        answers.add(monotonicMs() - (start + (i * 1000) / writes));
      }),
      atRate(connections.slice(WRITERS), schedule(lists), async (connection) => {
        const bytes = await ask(connection, { path });
        listed += bytes;
      }),
    ]);
    const seen = await fleet.end(DRAIN_MS);
    const elapsed = (monotonicMs() - start) / 1000;
    return {
      ...seen,
      seconds: elapsed,
      cores: (cpuMicros(server.pid) - cpu) / 1e6 / elapsed,
      loop: (loopMicros(server.pid) - loop) / 1e6 / elapsed,
      bytesPerSecond: (seen.bytes + listed) / elapsed,
      answers,
    };
  });
}

async function ask(connection: Connection, question: Question): Promise<number> {
  const { status, bytes } = await connection.ask(question);
  if (status !== 200) throw new Error(`${question.path} was answered with ${status}`);
  return bytes;
}

function showHeld({ bench }: Point, { latencies, answers, ...held }: Held): void {
  const facts = {
    p50: latencies.percentile(0.5),
    worst: latencies.percentile(1),
    answerP50: answers.percentile(0.5),
    answerP99: answers.percentile(0.99),
    deliveries: held.delivered,
    lost: held.lost,
    watchesThatEnded: held.ended,
    seconds: digits(held.seconds),
    eventLoop: digits(held.loop),
    serverMicrosPerDelivery: digits((held.cores * held.seconds * 1e6) / held.delivered),
    clientCores: digits(held.cpuMicros / 1e6 / held.seconds),
    load: digits(loadavg()[0] ?? 0),
  };
  record(
    { name: 'measured' },
    { bench: `${bench}: p99 of delivery`, value: latencies.percentile(0.99), unit: 'ms', ...facts },
  );
  record({ name: 'measured' }, { bench: `${bench}: p50 of delivery`, value: latencies.percentile(0.5), unit: 'ms' });
  record({ name: 'measured' }, { bench: `${bench}: lost`, value: held.lost, unit: 'deliveries', goal: { atMost: 0 } });
}

function compare({ bench }: Point, what: string, unit: string, predicted: number, measured: number): void {
  record({ name: 'predicted' }, { bench: `${bench}: ${what}`, value: predicted, unit });
  const facts = { predicted: digits(predicted), ratio: digits(measured / predicted) };
  record({ name: 'measured' }, { bench: `${bench}: ${what}`, value: measured, unit, ...facts });
  record({ name: 'measured/predicted' }, { bench: `${bench}: ${what}`, value: measured / predicted, unit });
}

function connectionsOf(point: Point): number {
  const { followers, selectors } = point.workload;
  return Math.ceil((followers + selectors) / perConnection(point)) + WRITERS + LISTERS;
}

function perConnection({ workload }: Point): number {
  return workload.watchesPerConnection ?? (workload.transport === 'h1' ? 1 : 100);
}

async function sizeOf(server: Target, path: string): Promise<number> {
  const COUNT = 100;
  return withConnections(server, 'h1', 1, async ([connection]) => {
    const answer = await connection?.ask({ path: `${path}?limit=${COUNT}` });
    return (answer?.bytes ?? 0) / COUNT;
  });
}

function mega(bytes: number): number {
  return digits(bytes / 1e6);
}

function each(parts: Readonly<Record<string, number>>, unit: number): object {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, digits(value / unit)]));
}

function rounded({ cores, memoryBytes, networkBytes, ...rest }: Prediction): object {
  return { cores: each(cores, 1), memoryMb: each(memoryBytes, 1e6), networkMb: mega(networkBytes), ...each(rest, 1) };
}
