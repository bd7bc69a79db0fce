import { type ApiObject, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { needs } from '@listwatch/conformance/parts';
import type { RuntimeServer } from '@listwatch/conformance/runtime';
import { eventually } from '@listwatch/conformance/storage';
import { expect, it } from 'vitest';
import { type Informer, informer, type StoreChange } from '../src/index.ts';
import { startSocketServer } from './own-server.ts';
import { freshMemoryStore, type RestorableStore, restorableEtcd, restorableLmdb } from './restored-store.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

const SLOW = 60_000;

/** An informer, and what its handlers were told. */
interface Watched extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly cache: Informer<ConfigMap>;
  readonly told: string[];
}

async function watch(server: RuntimeServer): Promise<Watched> {
  const cluster = await server.connect();
  const cache = informer(cluster, configMaps, { namespace: 'default', backoff: { initialMs: 20, maxMs: 100 } });
  const told: string[] = [];
  const note = ({ type, key, object }: StoreChange<ConfigMap>): unknown =>
    told.push(`${type} ${key} ${object.data?.['value']}`);
  cache.on({ add: note, update: note, delete: note });
  await cache.synced;
  return {
    cluster,
    cache,
    told,
    [Symbol.asyncDispose]: async () => {
      await cache.close();
      await cluster.close();
    },
  };
}

async function put({ admin }: RuntimeServer, name: string, value: string): Promise<void> {
  const object = { metadata: { name, namespace: 'default' }, data: { value } };
  await admin.delete(configMaps, { name, namespace: 'default' }).catch(() => {});
  await admin.create(configMaps, object);
}

async function update({ admin }: RuntimeServer, name: string, value: string): Promise<void> {
  await admin.patch(configMaps, { name, namespace: 'default' }, { type: 'merge', body: { data: { value } } });
}

function textOf(objects: Iterable<ConfigMap>): readonly string[] {
  return Array.from(
    objects,
    ({ metadata: { name, uid, resourceVersion }, data }) => `${name} ${uid}@${resourceVersion} ${data?.['value']}`,
  ).toSorted();
}

/** The cache becomes what the server has, and says so. */
async function follows(server: RuntimeServer, { cache }: Watched): Promise<void> {
  const { items } = await server.admin.list(configMaps, { namespace: 'default' });
  await eventually(
    'the cache is what the server has',
    () => JSON.stringify(textOf(cache.store.values())) === JSON.stringify(textOf(items)),
  );
  expect(textOf(cache.store.values())).toEqual(textOf(items));
  await eventually('the informer is live', () => cache.status.phase === 'live');
}

it(
  'a server that is replaced by an empty one on the same port: every object is told as deleted',
  async () => {
    await using server = await startSocketServer({ store: freshMemoryStore(), protocol: 'http/2' });
    for (const name of ['a', 'b', 'c']) await put(server, name, 'old');
    await using watched = await watch(server);
    await server.power?.stop();
    await server.power?.start();
    await follows(server, watched);
    expect(watched.cache.store.size).toBe(0);
    expect(watched.told.filter((text) => text.startsWith('delete')).toSorted()).toEqual([
      'delete default/a old',
      'delete default/b old',
      'delete default/c old',
    ]);
    await put(server, 'd', 'new');
    await follows(server, watched);
  },
  SLOW,
);

it(
  'a server that is replaced and has given the same versions to other objects before the client is back',
  async () => {
    await using server = await startSocketServer({ store: freshMemoryStore(), protocol: 'http/2' });
    for (const name of ['a', 'b', 'c']) await put(server, name, 'old');
    await using watched = await watch(server);
    server.network?.refuse();
    server.network?.cut();
    await server.power?.stop();
    await server.power?.start();
    for (const name of ['a', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) await put(server, name, 'new');
    await server.network?.accept();
    await follows(server, watched);
    expect(watched.told).toContain('delete default/b old');
    expect(watched.told).toContain('add default/a new');
  },
  SLOW,
);

async function restored(store: RestorableStore): Promise<void> {
  await using server = await startSocketServer({ store, protocol: 'http/2' });
  for (const name of ['a', 'b', 'kept']) await put(server, name, 'old');
  await server.power?.stop();
  await store.backup();
  await server.power?.start();
  await using watched = await watch(server);
  await update(server, 'a', 'lost');
  await put(server, 'c', 'lost');
  await server.admin.delete(configMaps, { name: 'b', namespace: 'default' });
  await follows(server, watched);
  server.network?.refuse();
  server.network?.cut();
  await server.power?.stop();
  await store.restore();
  await server.power?.start();
  for (let n = 0; n < 10; n += 1) await put(server, `new-${n}`, 'new');
  await server.network?.accept();
  await follows(server, watched);
  // The object that was deleted after the backup is there again, and the one that was created is not.
  expect(watched.cache.store.has('default/b')).toBe(true);
  expect(watched.told).toContain('delete default/c lost');
  expect(watched.told.at(-1)).not.toContain('kept');
  await update(server, 'a', 'after');
  await follows(server, watched);
}

it(
  'a server on lmdb that is restored to an earlier state and has grown past the old one',
  async () => {
    await using store = restorableLmdb();
    await restored(store);
  },
  SLOW,
);

it('a server on etcd that is restored to an earlier state and has grown past the old one', {
  ...needs('etcd'),
  timeout: SLOW,
}, async () => {
  await using store = await restorableEtcd();
  await restored(store);
});
