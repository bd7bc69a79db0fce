import type { ApiObject, Resource } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import { TestAuthority } from '@listwatch/conformance/parts';
import { type ApiServer, createApiServer, firstAuthenticator, tokenAuthenticator } from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { informer } from '../src/index.ts';
import { manager } from '../src/manager/index.ts';
import { heldFeed } from './held-feed.ts';

const TOKEN = 't';
const ADMIN = { name: 'admin', groups: ['system:masters'] };
const WAIT = { timeout: 30_000, interval: 20 };

interface Map1 extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}
const maps: Resource<Map1> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

let store: StorageEngine;
let authority: TestAuthority;
let ending: (() => Promise<void>)[];

beforeEach(() => {
  store = createMemoryEngine();
  authority = new TestAuthority();
  ending = [];
});
afterEach(async () => {
  for (const end of ending.toReversed()) await end();
  await store.close();
  authority[Symbol.dispose]();
});

async function start(engine: StorageEngine = store, port = 0): Promise<ApiServer> {
  const server = createApiServer({
    engine,
    tls: authority.server(),
    port,
    authenticator: firstAuthenticator([tokenAuthenticator(new Map([[TOKEN, ADMIN]]))]),
  });
  await server.listen();
  ending.push(() => stop(server));
  return server;
}

/** Without waiting for its watches. */
async function stop(server: ApiServer): Promise<void> {
  await Promise.all([server.close(), server.close()]);
}

async function client(...servers: readonly ApiServer[]): Promise<Cluster> {
  const urls = servers.map(({ url }) => url);
  const cluster = await connect({ servers: urls, serverOrder: 'listed', token: TOKEN, caData: authority.ca });
  ending.push(() => cluster.close());
  return cluster;
}

function put(cluster: Cluster, name: string, value: string): Promise<Map1> {
  return cluster.patch(
    maps,
    { name, namespace: 'default' },
    { type: 'apply', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } } },
    { fieldManager: 'test', force: true },
  );
}

/** An informer, and the versions that its handlers were shown. */
function observed(cluster: Cluster) {
  const cache = informer(cluster, maps, { namespace: 'default' });
  const seen: string[] = [];
  const kinds: string[] = [];
  const note = (kind: string, { metadata }: Map1): void => {
    kinds.push(kind);
    seen.push(metadata.resourceVersion ?? '');
  };
  cache.on({
    add: ({ object }) => note('add', object),
    update: ({ object }) => note('update', object),
    delete: ({ object }) => note('delete', object),
  });
  ending.push(() => cache.close());
  return { cache, seen, kinds };
}

function neverBack(versions: readonly string[]): boolean {
  return versions.every((version, at) => at === 0 || BigInt(version) > BigInt(versions[at - 1] ?? 0));
}

it('a manager shows which server is in use and what moved away from the others', async () => {
  const [first, second] = [await start(), await start()];
  const cluster = await client(first, second);
  const { registry } = manager(cluster);
  const [one, other] = [first, second].map(({ url }) => new URL(url).host);
  const samples = async (): Promise<readonly string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('listwatch_client_'));
  await put(cluster, 'a', '1');
  expect(await samples()).toEqual(
    expect.arrayContaining([
      `listwatch_client_server_in_use{host="${one}"} 1`,
      `listwatch_client_moved_requests_total{host="${one}"} 0`,
      `listwatch_client_server_up{host="${other}"} 1`,
    ]),
  );
  await stop(first);
  await vi.waitFor(() => put(cluster, 'a', '2'), WAIT);
  await cluster.list(maps);
  const after = await samples();
  expect(after).toContain(`listwatch_client_server_in_use{host="${one}"} 0`);
  expect(after).toContain(`listwatch_client_server_in_use{host="${other}"} 1`);
  expect(after).toContain(`listwatch_client_server_up{host="${one}"} 0`);
  expect((await client(second)).servers).toBeUndefined();
});

describe('an informer through several servers', () => {
  it('goes on at another server when its own ends, without a relist, and sees every change once', async () => {
    const [first, second] = [await start(), await start()];
    const writer = await client(second);
    const requests: string[] = [];
    const { url } = first;
    const cluster = await connect({
      servers: [url, second.url],
      serverOrder: 'listed',
      token: TOKEN,
      caData: authority.ca,
      log: ({ path }) => void requests.push(path),
    });
    ending.push(() => cluster.close());
    await put(writer, 'a', '1');
    const { cache, seen, kinds } = observed(cluster);
    await cache.synced;
    await put(writer, 'a', '2');
    await vi.waitFor(() => expect(kinds).toEqual(['add', 'update']), WAIT);
    await stop(first);
    await put(writer, 'a', '3');
    await vi.waitFor(() => expect(cache.store.get('default/a')?.data).toEqual({ value: '3' }), WAIT);
    expect(kinds).toEqual(['add', 'update', 'update']);
    expect(neverBack(seen)).toBe(true);
    expect(requests.filter((path) => path.includes('sendInitialEvents'))).toHaveLength(1);
    expect(cluster.servers).toMatchObject([
      { server: url, isInUse: false },
      { server: second.url, state: 'up', isInUse: true },
    ]);
    // And back, when the first has come back and the second ends.
    await start(store, Number(new URL(url).port));
    await stop(second);
    await put(cluster, 'a', '4');
    await vi.waitFor(() => expect(cache.store.get('default/a')?.data).toEqual({ value: '4' }), WAIT);
    expect(neverBack(seen)).toBe(true);
  }, 120_000);

  it('never goes back in time at a server whose caches are behind', async () => {
    const first = await start();
    const feed = heldFeed(store);
    const second = await start(feed.engine);
    const writer = await client(first);
    const { cache, seen, kinds } = observed(await client(first, second));
    await put(writer, 'a', '1');
    await cache.synced;
    feed.hold();
    await put(writer, 'a', '2');
    await put(writer, 'b', '1');
    await vi.waitFor(() => expect(cache.store.size).toBe(2), WAIT);
    await stop(first);
    // The second server knows nothing of b; the store does.
    const late = await client(second);
    expect((await late.list(maps, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)).toContain('b');
    await put(late, 'a', '3');
    expect(kinds).not.toContain('delete');
    expect(cache.store.get('default/a')?.data).toEqual({ value: '2' });
    feed.release();
    await vi.waitFor(() => expect(cache.store.get('default/a')?.data).toEqual({ value: '3' }), WAIT);
    expect(kinds.filter((kind) => kind === 'delete')).toEqual([]);
    expect(neverBack(seen.filter((_, at) => kinds[at] === 'update'))).toBe(true);
  }, 120_000);
});
