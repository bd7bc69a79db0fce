/**
 * The soak of the runtime: informers of every kind over real sockets, a server that is restarted and killed, connections that are
 * cut, history that is forgotten. After each round of trouble every store and every reader must have what the server has; at the
 * end nothing may be left, and memory must have stayed flat. `SOAK_MINUTES` says how long (10); the exit code is 1 when
 * something is wrong.
 */

import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { resource } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import { startTcpProxy } from '@listwatch/conformance/parts';
import { fileCheckpoint, type InformerOptions } from '@listwatch/runtime';
import { type MemorySample, memorySlope } from '../server/memory-slope.ts';
import { report } from '../storage/measure.ts';
import { inScratch } from '../storage/scratch.ts';
import { leftovers } from './leftovers.ts';
import { RestartedServer } from './restarted-server.ts';
import { configMaps, SoakInformer, type SoakPlan, stateText } from './soak-informer.ts';
import { TROUBLES, type TroubledWorld } from './soak-trouble.ts';
import { NAMESPACES, SoakWriter } from './soak-writer.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10);
const TROUBLE_MS = 4000;
/** How long a store may take to become what the server has once all is quiet: some pauses, and a ping. */
const QUIET_WITHIN_MS = 60_000;
/** Code caches and heaps fill first; only what comes after counts. */
const WARM_UP_SHARE = 0.4;
/** Of what is left after a garbage collection. */
const FLAT_BYTES_PER_MINUTE = 1e6;
/** Of all that the process has, native memory too: its allocator alone makes it creep for some minutes. */
const FLAT_RESIDENT_BYTES_PER_MINUTE = 3e6;
/** Undici lets go of idle sockets, and Node of closed handles, in its own time. */
const ENDED_WITHIN_MS = 10_000;

if (!(MINUTES > 0)) throw new RangeError(`SOAK_MINUTES must be a number above 0, not ${process.env['SOAK_MINUTES']}`);

const failures: string[] = [];
process.on('warning', (warning) => failures.push(`Node warned: ${warning.message}`));
const before = leftovers();
await inScratch(soak);
await expectNothingLeft();
for (const failure of new Set(failures)) console.error(`soak failed: ${failure}`);
if (failures.length > 0) process.exitCode = 1;

async function soak(folder: string): Promise<void> {
  const server = new RestartedServer(folder);
  await server.start();
  const proxy = await startTcpProxy(server.port);
  const open = (protocol: 'http/1.1' | 'http/2', port = proxy.port): Promise<Cluster> => {
    const address = `https://127.0.0.1:${port}`;
    return connect({ server: address, token: server.token, protocol, insecureSkipTlsVerify: true });
  };
  const admin = await open('http/2', server.port);
  const clusters = [await open('http/1.1'), await open('http/2')];
  const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });
  for (const name of NAMESPACES) await admin.create(namespaces, { metadata: { name } });
  const writer = new SoakWriter(admin);
  await writer.seed();
  const stop = new AbortController();
  const lasting = clusters.flatMap(plans).map((plan) => new SoakInformer(plan, stop.signal));
  const checkpointed = clusters.map((cluster) => checkpointedPlan(folder, cluster));
  await rounds({ server, proxy }, admin, { writer, lasting, checkpointed, stop });
  for (const one of [...lasting, admin, ...clusters, proxy]) await one.close();
  const listeners = getEventListeners(stop.signal, 'abort').length;
  if (listeners > 0) failures.push(`${listeners} listeners are left on the signal`);
  await server.stop();
}

interface Cast {
  readonly writer: SoakWriter;
  /** From the first round to the last. */
  readonly lasting: readonly SoakInformer[];
  /** Begun anew in each round, from what they left. */
  readonly checkpointed: readonly SoakPlan[];
  readonly stop: AbortController;
}

async function rounds(
  world: TroubledWorld,
  admin: Cluster,
  { writer, lasting, checkpointed, stop }: Cast,
): Promise<void> {
  const samples: Samples = { retained: [], resident: [] };
  const started = performance.now();
  const troubles = Object.entries(TROUBLES);
  for (let round = 0; performance.now() - started < MINUTES * 60_000; round += 1) {
    const [name, strike] = troubles[round % troubles.length] ?? ['none', async () => {}];
    const passing = checkpointed.map((plan) => new SoakInformer(plan, stop.signal));
    const all = [...lasting, ...passing];
    await Promise.all([strike(world, TROUBLE_MS), writer.run(TROUBLE_MS)]);
    const quietMs = await expectTruth(name, admin, all);
    for (const { story, plan } of all) {
      for (const problem of story.problems.splice(0)) failures.push(`after ${name}, ${plan.name}: ${problem}`);
    }
    const missed = all.reduce((sum, { story }) => sum + story.missed, 0);
    for (const one of passing) await one.close();
    // What happens now is news to them in the next round.
    await writer.run(500);
    expectOneListener(name, stop.signal);
    sample(samples, started);
    report({
      bench: 'runtime-soak',
      seconds: Math.round((performance.now() - started) / 1000),
      trouble: name,
      quietMs,
      writes: writer.writes,
      changes: lasting.reduce((sum, { story }) => sum + story.changes, 0),
      missed,
      starts: world.server.starts,
      connections: world.proxy.connections,
      ...leftovers(),
      retainedMb: mb(samples.retained.at(-1)),
      residentMb: mb(samples.resident.at(-1)),
    });
  }
  judge(samples, writer);
}

/** Waits until everybody has what the server has; gives up, and says who has not. */
async function expectTruth(trouble: string, admin: Cluster, all: readonly SoakInformer[]): Promise<number> {
  const started = performance.now();
  const truths = await Promise.all(
    all.map(async ({ plan }) => stateText((await admin.list(configMaps, plan.query)).items)),
  );
  const wrong = (): readonly string[] => all.flatMap((one, i) => one.difference(truths[i] ?? []) ?? []);
  while (wrong().length > 0) {
    if (performance.now() - started > QUIET_WITHIN_MS) {
      for (const difference of wrong()) failures.push(`drift after ${trouble}: ${difference}`);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return Math.round(performance.now() - started);
}

/** All informers share one; that none of them has left anything there shows when the last has gone. */
function expectOneListener(trouble: string, signal: AbortSignal): void {
  const listeners = getEventListeners(signal, 'abort').length;
  if (listeners !== 1) failures.push(`after ${trouble} there are ${listeners} listeners on the signal`);
}

function judge({ retained, resident }: Samples, { writes, failures: refused }: SoakWriter): void {
  const slopes = { retained: slopeOf(retained), resident: slopeOf(resident) };
  const mbPerMinute = { retained: rounded(slopes.retained), resident: rounded(slopes.resident) };
  report({
    bench: 'runtime-soak',
    result: true,
    minutes: MINUTES,
    rounds: retained.length,
    writes,
    refused,
    mbPerMinute,
  });
  if (slopes.retained > FLAT_BYTES_PER_MINUTE) failures.push(`the heap grows by ${mbPerMinute.retained} MB a minute`);
  if (slopes.resident > FLAT_RESIDENT_BYTES_PER_MINUTE) {
    failures.push(`resident memory grows by ${mbPerMinute.resident} MB a minute`);
  }
}

function slopeOf(samples: readonly MemorySample[]): number {
  return memorySlope(samples.slice(Math.floor(samples.length * WARM_UP_SHARE)));
}

async function expectNothingLeft(): Promise<void> {
  const started = performance.now();
  for (;;) {
    const now = leftovers();
    if (now.sockets <= before.sockets && now.timers <= before.timers) return;
    if (performance.now() - started > ENDED_WITHIN_MS) {
      failures.push(`left behind: ${JSON.stringify(now)}, and at the start ${JSON.stringify(before)}`);
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Samples {
  readonly retained: MemorySample[];
  readonly resident: MemorySample[];
}

function sample({ retained, resident }: Samples, started: number): void {
  globalThis.gc?.();
  const minutes = (performance.now() - started) / 60_000;
  const { heapUsed, external, rss } = process.memoryUsage();
  retained.push({ minutes, bytes: heapUsed + external });
  resident.push({ minutes, bytes: rss });
}

function mb(sampled: MemorySample | undefined): number {
  return Math.round((sampled?.bytes ?? 0) / 1e5) / 10;
}

function rounded(bytesPerMinute: number): number {
  return Number((bytesPerMinute / 1e6).toFixed(2));
}

/** One of each kind that there is. */
function plans(cluster: Cluster): readonly SoakPlan[] {
  const [a] = NAMESPACES;
  const plan = (name: string, query: SoakPlan['query'], options: InformerOptions = {}): SoakPlan => ({
    name: `${cluster.transport.name} ${name}`,
    cluster,
    query,
    options,
  });
  return [
    plan('auto', {}),
    plan('listed', {}, { initialStrategy: 'listWatch' }),
    plan('listed in small pages', { namespace: a }, { initialStrategy: 'listWatch', pageSize: 20 }),
    plan('streamed', {}, { initialStrategy: 'streamingList' }),
    plan('compact', {}, { compact: true }),
    plan('most recent', { namespace: a }, { listSemantic: 'mostRecent' }),
    plan('by label', { labelSelector: 'app=web' }),
    plan('by label, listed', { labelSelector: 'app=web' }, { initialStrategy: 'listWatch' }),
    plan('metadata', {}, { projection: 'metadata' }),
    plan('without bookmarks', { namespace: a }, { bookmarks: false }),
  ];
}

function checkpointedPlan(folder: string, cluster: Cluster): SoakPlan {
  const { name } = cluster.transport;
  const checkpoint = fileCheckpoint(join(folder, `${name.replace('/', '-')}.checkpoint`));
  return { name: `${name} from a checkpoint`, cluster, query: {}, options: { checkpoint } };
}
