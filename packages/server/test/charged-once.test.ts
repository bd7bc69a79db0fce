/** A write is charged to its quota once, however often its commit is tried. */

import { randomUUID } from 'node:crypto';
import { type EtcdProcess, needs, startEtcd } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { InProcessServer, type Json } from '../src/start/in-process-server.fixture.ts';
import { SteeredEngine } from './steered-engine.fixture.ts';

const DEFAULT = '/api/v1/namespaces/default';
const QUOTA = `${DEFAULT}/resourcequotas/q`;

const service = (name: string): object => ({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } });

/** A quota that counts from nothing: the quota controller does not run here. */
async function addQuota(server: InProcessServer, hard: Readonly<Record<string, string>>): Promise<void> {
  await server.ok('POST', `${DEFAULT}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  const { metadata } = await server.ok('GET', QUOTA);
  await server.ok('PUT', `${QUOTA}/status`, { metadata, spec: { hard }, status: { hard, used } });
}

/** Waits until the cache of the server has the quota. */
async function knownQuota(server: InProcessServer): Promise<void> {
  await eventually('the server knows the quota', async () => {
    const { items } = await server.ok('GET', `${DEFAULT}/resourcequotas?resourceVersion=0`);
    return items[0]?.status?.used !== undefined;
  });
}

async function usedOf(server: InProcessServer): Promise<Json> {
  return (await server.ok('GET', QUOTA)).status.used;
}

describe('Services of two servers that choose the same address', needs('etcd'), () => {
  let etcd: EtcdProcess;
  let engines: readonly StorageEngine[] = [];
  let servers: readonly InProcessServer[] = [];

  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.stop());
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const server of servers) await server[Symbol.asyncDispose]();
    for (const engine of engines) await engine.close();
  });

  it('are charged once each, although one of them has to choose again', async () => {
    // Both look for a free address from the same place on.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const options = { endpoints: [etcd.endpoint], root: `/${randomUUID()}/`, compaction: 'off' } as const;
    const progressRequests = await answersProgressInOrder(options);
    engines = [0, 1].map(() => createEtcdEngine({ ...options, progressRequests }));
    servers = await Promise.all(engines.map((engine) => InProcessServer.start({ engine })));
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error('there are two');
    await addQuota(first, { services: '50', 'services.nodeports': '50' });
    await knownQuota(first);
    await knownQuota(second);
    const names = Array.from({ length: 20 }, (_, n) => `s${n}`);
    const posts = names.flatMap((name) => [
      first.ask('POST', `${DEFAULT}/services`, service(`${name}-a`)),
      second.ask('POST', `${DEFAULT}/services`, service(`${name}-b`)),
    ]);
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(statuses).toEqual(posts.map(() => 201));
    const metrics = await Promise.all(servers.map(async (server) => (await server.ask('GET', '/metrics')).body));
    expect(metrics.join('\n')).toMatch(/^listwatch_service_claim_conflicts_total\{address="ip"\} [1-9]/mu);
    expect(await usedOf(first)).toEqual({ services: '40', 'services.nodeports': '40' });
  });
});

describe('an object with a generated name', () => {
  it('that is taken is charged once, although another name has to be found', async () => {
    await using store = createMemoryEngine();
    const engine = new SteeredEngine(store);
    await using server = await InProcessServer.start({ engine });
    await addQuota(server, { 'count/configmaps': '50' });
    await knownQuota(server);
    const keys: string[] = [];
    engine.beforeCommits('/registry/configmaps/default/', async (key) => {
      keys.push(key);
      // Somebody else, whom no quota knows, has taken the first two names.
      if (keys.length < 3) await store.commit({ type: 'put', key, value: Buffer.from('{}') });
    });
    await server.ok('POST', `${DEFAULT}/configmaps`, { metadata: { generateName: 'made-' } });
    expect(keys).toHaveLength(3);
    expect(await usedOf(server)).toEqual({ 'count/configmaps': '1' });
  });
});
