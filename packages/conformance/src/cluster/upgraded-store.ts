/** A data folder (LMDB) that an earlier version has written, opened by another one: nothing may be missing or different. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiObject, Resource } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import { freePorts } from '../parts/free-port.ts';
import { SeededRandom } from '../server/seeded-random.ts';
import { readCredentials } from './cluster-credentials.ts';
import { type TokenMap, tokenMaps } from './recorded-watcher.ts';
import { ServerProcess, servePlan } from './server-process.ts';

export interface UpgradedStoreOptions {
  readonly seed: number;
  /** What Node runs the earlier `listwatch` with. */
  readonly from: readonly string[];
  /** The same of the later one. */
  readonly to: readonly string[];
  /** How the earlier one ends. */
  readonly isKilled: boolean;
}

/** Versions that the writer has seen on its way. */
interface WrittenHistory {
  readonly start: bigint;
  readonly middle: bigint;
  readonly end: bigint;
}

/** What clients can see of a store. */
interface StoreView {
  /** Every object as JSON, by kind and name. */
  readonly objects: ReadonlyMap<string, string>;
  /** The ConfigMaps at the version in the middle. */
  readonly past: ReadonlyMap<string, string>;
  /** Every change of the ConfigMaps from the start to the end. */
  readonly history: readonly string[];
}

const NAMESPACE = 'upgraded';
const NAMES = 20;
const WRITES = 300;

interface StoredObject extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

const namespaces = core('namespaces', 'Namespace', false);
const secrets = core('secrets', 'Secret');
const services = core('services', 'Service');

function core(plural: string, kind: string, namespaced = true): Resource<StoredObject> {
  return { group: '', version: 'v1', plural, kind, namespaced };
}

/** What is different after the upgrade; empty: nothing. */
export async function checkUpgradedStore(options: UpgradedStoreOptions): Promise<readonly string[]> {
  const { seed, from, to, isKilled } = options;
  const data = mkdtempSync(join(tmpdir(), 'listwatch-upgraded-'));
  const [port = 0] = await freePorts(1);
  const server = new ServerProcess(servePlan({ command: from, data, port, toEtcd: [] }));
  try {
    await server.start();
    const { written, before } = await asClient(server, data, async (cluster) => {
      const history = await write(cluster, new SeededRandom(seed));
      return { written: history, before: await viewOf(cluster, history) };
    });
    await (isKilled ? server.kill() : server.terminate());
    server.use(to);
    await server.start();
    const found = await asClient(server, data, async (cluster) => {
      const violations = differences(before, await viewOf(cluster, written));
      const { metadata } = await cluster.create(tokenMaps, { metadata: { name: 'later', namespace: NAMESPACE } });
      const version = BigInt(metadata.resourceVersion ?? 0);
      return version > written.end ? violations : [...violations, `a write got ${version}, not after ${written.end}`];
    });
    await server.terminate();
    return [...found, ...server.log.alarms];
  } finally {
    await server.kill();
    rmSync(data, { recursive: true, force: true });
  }
}

async function asClient<T>({ url }: ServerProcess, data: string, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  await using cluster = await connect({ ...readCredentials(join(data, 'kubeconfig')), server: url });
  return await work(cluster);
}

/** Creates, updates and deletes ConfigMaps, beside a Secret and a Service that stay. */
async function write(cluster: Cluster, random: SeededRandom): Promise<WrittenHistory> {
  await cluster.create(namespaces, { metadata: { name: NAMESPACE } });
  const metadata = { name: 'kept', namespace: NAMESPACE };
  await cluster.create(secrets, { metadata, data: { key: 'dmFsdWU=' } });
  const { metadata: first } = await cluster.create(services, { metadata, spec: { ports: [{ port: 80 }] } });
  const start = BigInt(first.resourceVersion ?? 0);
  const known = new Map<string, TokenMap>();
  let [middle, end] = [start, start];
  for (let count = 0; count < WRITES; count += 1) {
    const name = `object-${random.below(NAMES)}`;
    const before = known.get(name);
    const data = { token: String(count), text: 'x'.repeat(random.below(3000)) };
    if (before !== undefined && random.chance(0.2)) {
      await cluster.delete(tokenMaps, { name, namespace: NAMESPACE });
      known.delete(name);
      continue;
    }
    const object =
      before === undefined
        ? await cluster.create(tokenMaps, { metadata: { name, namespace: NAMESPACE, labels: { app: name } }, data })
        : await cluster.update(tokenMaps, { ...before, data });
    known.set(name, object);
    end = BigInt(object.metadata.resourceVersion ?? 0);
    if (count < WRITES / 2) middle = end;
  }
  return { start, middle, end };
}

async function viewOf(cluster: Cluster, { start, middle, end }: WrittenHistory): Promise<StoreView> {
  const objects = new Map<string, string>();
  for (const kind of [tokenMaps, secrets, services]) {
    const { items } = await cluster.list<ApiObject>(kind, { namespace: NAMESPACE });
    for (const object of items) add(objects, kind, object);
  }
  const past = new Map<string, string>();
  const exact = { resourceVersion: String(middle), resourceVersionMatch: 'Exact' } as const;
  const { items: then } = await cluster.list(tokenMaps, { namespace: NAMESPACE, ...exact });
  for (const object of then) add(past, tokenMaps, object);
  const history: string[] = [];
  const watch = cluster.watch(tokenMaps, { namespace: NAMESPACE, resourceVersion: String(start), timeoutSeconds: 60 });
  for await (const event of watch) {
    history.push(`${event.type} ${JSON.stringify(event.object)}`);
    if (event.type === 'ERROR' || BigInt(event.object.metadata.resourceVersion ?? 0) >= end) break;
  }
  return { objects, past, history };
}

/** A controller of one of the versions may write a ConfigMap of its own: only those of the writer count. */
function add(objects: Map<string, string>, { plural }: Resource, object: ApiObject): void {
  const { name } = object.metadata;
  if (/^(?:object-\d+|kept)$/u.test(name)) objects.set(`${plural}/${name}`, JSON.stringify(object));
}

function differences(before: StoreView, after: StoreView): readonly string[] {
  const isFull = before.objects.size > 2 && before.history.length > WRITES / 2;
  return [
    ...(isFull ? [] : ['the earlier version has written nothing']),
    ...compare('the objects', before.objects, after.objects),
    ...compare('the objects of the past', before.past, after.past),
    ...compare('the history', byPlace(before), byPlace(after)),
  ];
}

function compare(what: string, old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    .map((key) => `${what}: ${key} was ${old.get(key)} and is ${now.get(key)}`);
}

function byPlace({ history }: StoreView): ReadonlyMap<string, string> {
  return new Map(history.map((event, at) => [String(at), event]));
}
