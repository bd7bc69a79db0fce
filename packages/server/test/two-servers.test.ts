import { randomUUID } from 'node:crypto';
import { type EtcdProcess, needs, startEtcd, startTcpProxy } from '@listwatch/conformance/parts';
import { ApiClient, eventText } from '@listwatch/conformance/server';
import { eventually } from '@listwatch/conformance/storage';
import {
  answersProgressInOrder,
  createEtcdEngine,
  type EtcdEngine,
  type EtcdEngineOptions,
} from '@listwatch/storage-etcd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../src/index.ts';
import { startTestServer } from './test-server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

/** One server of several, and a client that talks to it alone. */
interface Member extends AsyncDisposable {
  readonly client: ApiClient;
  readonly server: ApiServer;
  readonly engine: EtcdEngine;
  readonly unforeseen: readonly string[];
}

async function startMember(options: EtcdEngineOptions): Promise<Member> {
  const engine = createEtcdEngine({
    compaction: 'off',
    requestTimeout: '1s',
    progressRequests: await answersProgressInOrder(options),
    ...options,
  });
  const server = await startTestServer(engine);
  const client = new ApiClient(server);
  return {
    client,
    server: server.server,
    engine,
    unforeseen: server.unforeseen,
    [Symbol.asyncDispose]: async () => {
      client.close();
      await server[Symbol.asyncDispose]();
      await engine.close();
    },
  };
}

/** Creates a ConfigMap; gives its version. */
async function add({ client }: Member, name: string): Promise<string> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
  const answer = await client.request('POST', CONFIG_MAPS, { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.version;
}

async function names({ client }: Member): Promise<readonly string[]> {
  const { status, text, document } = await client.get(CONFIG_MAPS);
  expect(status, text).toBe(200);
  return (document.items ?? []).map(({ metadata }) => metadata.name ?? '');
}

describe('two servers on one etcd', needs('etcd'), () => {
  let etcd: EtcdProcess;

  beforeAll(async () => {
    etcd = await startEtcd();
  });

  afterAll(async () => {
    await etcd.stop();
  });

  function store(): EtcdEngineOptions {
    return { endpoints: [etcd.endpoint], root: `/${randomUUID()}` };
  }

  it('start together on an empty store and agree on what every cluster has', async () => {
    const shared = store();
    const [a, b] = await Promise.all([startMember(shared), startMember(shared)]);
    const uids = await Promise.all(
      [a, b].map(async ({ client }) => (await client.get('/api/v1/namespaces/default')).document.metadata.uid),
    );
    expect(uids[0]).toBe(uids[1]);
    await a[Symbol.asyncDispose]();
    await b[Symbol.asyncDispose]();
  });

  it('an object with owners that is written through one makes its kind an owned one for both', async () => {
    const shared = store();
    await using a = await startMember(shared);
    await using b = await startMember(shared);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u' }];
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'owned', ownerReferences } };
    const { status, version } = await a.client.request('POST', SECRETS, { body });
    expect(status).toBe(201);
    await eventually('both know it', () => {
      return [a, b].every(({ server }) => server.ownedKinds.current.some(({ plural }) => plural === 'secrets'));
    });
    const last = [a, b].map(({ server }) => server.ownedKinds.lastWrite({ group: '', plural: 'secrets' }));
    expect(last).toEqual([version, version]);
  });

  it('a write through either is seen by the watchers of both, once and in order', async () => {
    const shared = store();
    await using a = await startMember(shared);
    await using b = await startMember(shared);
    const resourceVersion = await add(a, 'first');
    const streams = await Promise.all(
      [a, b].map(({ client }) => client.watch(CONFIG_MAPS, { query: { watch: true, resourceVersion } })),
    );
    const written: string[] = [];
    await Promise.all(
      [a, b].map(async (member, index) => {
        for (let i = 0; i < 50; i += 1) written.push(await add(member, `n${index}-${i}`));
      }),
    );
    const expected = written.toSorted((x, y) => Number(x) - Number(y));
    for (const stream of streams) {
      const events = await stream.take(written.length);
      expect(events.map(({ object }) => object.metadata.resourceVersion)).toEqual(expected);
      stream.close();
    }
  });

  it('a consistent list through one shows what was just written through the other, of busy kinds and quiet ones', async () => {
    const shared = store();
    await using a = await startMember(shared);
    await using b = await startMember(shared);
    for (let i = 0; i < 30; i += 1) {
      const [writer, reader] = i % 2 === 0 ? [a, b] : [b, a];
      const version = await add(writer, `n${i}`);
      const quiet = reader.client.get(SECRETS);
      expect(await names(reader)).toContain(`n${i}`);
      expect(BigInt((await quiet).version)).toBeGreaterThanOrEqual(BigInt(version));
    }
  });

  it('a version and a token of one are good on the other, also on one that began later', async () => {
    const shared = store();
    await using a = await startMember(shared);
    const resourceVersion = await add(a, 'n0');
    for (const name of ['n1', 'n2', 'n3']) await add(a, name);
    await using b = await startMember(shared);
    const first = await a.client.get(CONFIG_MAPS, { limit: 2 });
    const second = await b.client.get(CONFIG_MAPS, { limit: 2, continue: first.document.metadata.continue });
    expect(second.document.items?.map(({ metadata }) => metadata.name)).toEqual(['n2', 'n3']);
    expect(second.version).toBe(first.version);
    const old = await b.client.watch(CONFIG_MAPS, { query: { watch: true, resourceVersion } });
    expect((await old.take(3)).map(eventText)).toEqual(['ADDED n1', 'ADDED n2', 'ADDED n3']);
    // Ahead of what the other has seen, perhaps: it waits, and repeats nothing.
    const newest = await add(a, 'n4');
    const ahead = await b.client.watch(CONFIG_MAPS, { query: { watch: true, resourceVersion: newest } });
    await add(a, 'n5');
    expect((await ahead.take(1)).map(eventText)).toEqual(['ADDED n5']);
    expect((await old.take(2)).map(eventText)).toEqual(['ADDED n4', 'ADDED n5']);
    old.close();
    ahead.close();
  });

  it('compact in turns: what both have forgotten is 410 through both, and no watcher notices', async () => {
    const shared = { ...store(), compaction: 'coordinated', history: { age: '1s' } } as const;
    await using before = createEtcdEngine({ ...shared, compaction: 'off' });
    await before.commit({ type: 'put', key: '/elsewhere', value: Buffer.alloc(0) });
    const old = String(await before.revision());
    await using a = await startMember(shared);
    await using b = await startMember(shared);
    const streams = await Promise.all([a, b].map(({ client }) => client.watch(CONFIG_MAPS)));
    const exact = { resourceVersion: old, resourceVersionMatch: 'Exact' };
    for (const { client } of [a, b]) {
      await eventually('the past to be forgotten', async () => (await client.get(CONFIG_MAPS, exact)).status === 410);
      const watch = await client.watch(CONFIG_MAPS, { query: { watch: true, resourceVersion: old } });
      expect((await watch.untilEnd()).map(eventText)).toEqual(['ERROR 410']);
    }
    await add(a, 'x');
    for (const stream of streams) {
      expect((await stream.take(1)).map(eventText)).toEqual(['ADDED x']);
      stream.close();
    }
  });

  it('one that is cut off says so instead of showing the past, and goes on without losing a watcher', async () => {
    const shared = store();
    await using proxy = await startTcpProxy(etcd.port);
    await using a = await startMember(shared);
    await using b = await startMember({ ...shared, endpoints: [proxy.endpoint] });
    const resourceVersion = await add(a, 'first');
    const stream = await b.client.watch(CONFIG_MAPS, { query: { watch: true, resourceVersion } });
    proxy.refuse();
    proxy.cut();
    for (let i = 0; i < 5; i += 1) await add(a, `n${i}`);
    const [list, watch] = await Promise.all([
      b.client.get(CONFIG_MAPS),
      b.client.get(CONFIG_MAPS, { watch: true, timeoutSeconds: 1 }),
    ]);
    for (const { status, document } of [list, watch]) {
      expect([status, document.kind, document.reason]).toEqual([504, 'Status', 'Timeout']);
    }
    // What may be old is still served.
    expect((await b.client.get(CONFIG_MAPS, { resourceVersion: 0 })).status).toBe(200);
    await proxy.accept();
    expect((await stream.take(5)).map(eventText)).toEqual(['ADDED n0', 'ADDED n1', 'ADDED n2', 'ADDED n3', 'ADDED n4']);
    expect(stream.end).toBeUndefined();
    expect(await names(b)).toEqual(['first', 'n0', 'n1', 'n2', 'n3', 'n4']);
    stream.close();
  });

  it('one that missed what has been compacted begins anew: its watchers end, and then it shows what is', async () => {
    const shared = store();
    await using proxy = await startTcpProxy(etcd.port);
    await using a = await startMember(shared);
    await using b = await startMember({ ...shared, endpoints: [proxy.endpoint] });
    const resourceVersion = await add(a, 'first');
    const stream = await b.client.watch(CONFIG_MAPS, { query: { watch: true, resourceVersion } });
    proxy.refuse();
    proxy.cut();
    for (let i = 0; i < 3; i += 1) await add(a, `n${i}`);
    await a.engine.compact(await a.engine.revision());
    await proxy.accept();
    expect(await stream.untilEnd(), 'nothing is shown with a gap in it').toEqual([]);
    expect(stream.end?.clean).toBe(true);
    await eventually('the cache to be filled', async () => (await b.client.get(CONFIG_MAPS)).status === 200);
    expect(await names(b)).toEqual(['first', 'n0', 'n1', 'n2']);
    const again = await b.client.watch(CONFIG_MAPS, { query: { watch: true, resourceVersion } });
    expect((await again.untilEnd()).map(eventText)).toEqual(['ERROR 410']);
  });

  it('go on when etcd is killed and comes back', async () => {
    const shared = store();
    await using a = await startMember({ ...shared, requestTimeout: '10s' });
    await using b = await startMember({ ...shared, requestTimeout: '10s' });
    const resourceVersion = await add(a, 'first');
    const stream = await b.client.watch(CONFIG_MAPS, { query: { watch: true, resourceVersion } });
    await etcd.kill();
    await etcd.restart();
    await add(a, 'second');
    expect(await names(b)).toEqual(['first', 'second']);
    expect((await stream.take(1)).map(eventText)).toEqual(['ADDED second']);
    stream.close();
  });
});
