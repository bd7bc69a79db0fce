/** A start on an etcd with 100 000 objects of 1.5 KB: time, CPU and memory above a start on an empty one. */

import { createEtcdEngine } from '@listwatch/storage-etcd';
import { configMap, configMapPath, create, NAMESPACE, objectName } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { cpuMicros, resident } from './process-facts.ts';
import { middle, record } from './result.ts';
import type { Target } from './target.ts';

const MEGABYTE = 1e6;
const GOAL_READY_MS = 3000;
const GOAL_TIMES_BYTES = 2;
/** With what the server adds, its managed fields among it, an object has 1.5 KB. */
const PAYLOAD_BYTES = 1080;
/** etcd takes 128 operations in a transaction. */
const OBJECTS_PER_COMMIT = 100;
const COMMITS_AT_ONCE = 8;

/** A server on an etcd that outlives it. */
export interface ServerOnEtcd {
  readonly target: Target;
  /** The etcd. */
  readonly endpoint: string;
  /** What the keys of all kinds begin with. */
  readonly root: string;
  /** Ends it and starts it again; resolves when it says that it is ready, with the time that it took. */
  restart(): Promise<{ readonly target: Target; readonly readyMs: number }>;
}

/** Options of {@link benchLoad}. */
export interface LoadOptions {
  readonly objects: number;
  /** Starts on the empty and on the full etcd; the middle one counts. */
  readonly rounds: number;
}

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly bytes: number;
  readonly peakBytes: number;
}

/** Seeds the etcd behind the server, and measures its starts before and after. */
export async function benchLoad(server: ServerOnEtcd, { objects, rounds }: LoadOptions): Promise<void> {
  await createFirst(server.target);
  const empty = await starts(server, rounds);
  const bytes = await seedEtcd(server, objects);
  const full = await starts(server, rounds);
  const { name } = server.target;
  const facts = { objects, megabytes: Math.round(bytes / MEGABYTE), rounds };
  const of = (read: (start: Start) => number): readonly [number, number] => [
    middle(empty.map(read)),
    middle(full.map(read)),
  ];
  const [readyEmpty, ready] = of(({ readyMs }) => readyMs);
  const [cpuEmpty, cpu] = of(({ cpuMs }) => cpuMs);
  const [memoryEmpty, memory] = of((start) => start.bytes);
  const peak = middle(full.map(({ peakBytes }) => peakBytes));
  record({ name }, { bench: 'load: ready', value: ready, unit: 'ms', goal: { atMost: GOAL_READY_MS }, ...facts });
  record({ name }, { bench: 'load: ready, empty', value: readyEmpty, unit: 'ms' });
  record({ name }, { bench: 'load: CPU above empty', value: cpu - cpuEmpty, unit: 'ms', emptyMs: cpuEmpty });
  record(
    { name },
    {
      bench: 'load: memory above empty',
      value: (memory - memoryEmpty) / bytes,
      unit: 'times the bytes',
      goal: { atMost: GOAL_TIMES_BYTES },
      emptyMb: Math.round(memoryEmpty / MEGABYTE),
      fullMb: Math.round(memory / MEGABYTE),
      peakMb: Math.round(peak / MEGABYTE),
    },
  );
}

/** The object of 1.5 KB that {@link seedEtcd} copies. */
export function createFirst(target: Target): Promise<void> {
  return withConnections(target, 'h1', 1, async ([connection]) => {
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: NAMESPACE } };
    await create(connection, '/api/v1/namespaces', JSON.stringify(namespace));
    const object = { ...JSON.parse(configMap(0)), data: { payload: 'x'.repeat(PAYLOAD_BYTES) } };
    await create(connection, configMapPath(), JSON.stringify(object));
  });
}

async function starts(server: ServerOnEtcd, rounds: number): Promise<readonly Start[]> {
  const all: Start[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measureStart(server));
  return all;
}

/** Ready means also that a list from the cache is answered: a server may say that it is ready before it has loaded it. */
async function measureStart(server: ServerOnEtcd): Promise<Start> {
  const { target, readyMs } = await server.restart();
  const asked = performance.now();
  await withConnections(target, 'h1', 1, async ([connection]) => {
    const path = `${configMapPath()}?limit=1&resourceVersion=0`;
    const answer = await connection?.ask({ method: 'GET', path, keep: true });
    if (answer?.status !== 200) throw new Error(`GET ${path} was answered with ${answer?.status}: ${answer?.body}`);
  });
  const listMs = performance.now() - asked;
  const cpuMs = cpuMicros(target.pid) / 1000;
  await target.collect?.();
  const { now: bytes, peak: peakBytes } = resident(target.pid);
  return { readyMs: readyMs + listMs, cpuMs, bytes, peakBytes };
}

/** Copies what the server itself stored for object 0, with other names and uids. Gives the bytes of all values. */
export async function seedEtcd(
  { endpoint, root }: Pick<ServerOnEtcd, 'endpoint' | 'root'>,
  objects: number,
): Promise<number> {
  await using engine = createEtcdEngine({ endpoints: [endpoint], root, compaction: 'off' });
  const { entry } = await engine.get(keyOf(0));
  if (entry === undefined) throw new Error(`there is no ${keyOf(0)} in etcd at ${endpoint}`);
  const template = Buffer.from(entry.value);
  let next = 1;
  const write = async (): Promise<void> => {
    while (next < objects) {
      const first = next;
      next = Math.min(objects, next + OBJECTS_PER_COMMIT);
      const puts = Array.from({ length: next - first }, (_, i) => ({
        key: keyOf(first + i),
        value: copyOf(template, first + i),
        expected: 0n,
      }));
      const [one, ...alongside] = puts;
      if (one === undefined) return;
      const { committed } = await engine.commit({ type: 'put', ...one, alongside });
      if (!committed) throw new Error(`${one.key} is there already`);
    }
  };
  await Promise.all(Array.from({ length: COMMITS_AT_ONCE }, write));
  return template.length * objects;
}

function keyOf(i: number): string {
  return `/configmaps/${NAMESPACE}/${objectName(i)}`;
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/u;

/** Names and uids have a fixed length, so this works on JSON and on protobuf. */
function copyOf(template: Buffer, i: number): Buffer {
  const text = template.toString('latin1');
  const uid = UID.exec(text)?.[0] ?? '';
  const other = i.toString(16).padStart(8, '0') + uid.slice(8);
  return Buffer.from(text.replaceAll(objectName(0), objectName(i)).replace(uid, other), 'latin1');
}
