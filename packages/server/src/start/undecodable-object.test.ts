import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, isStorageError, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server-options.ts';
import { createApiServer } from './create-api-server.ts';
import { loopbackCall } from './loopback-call.fixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const KEY = '/registry/configmaps/default/bad';

/** Truncated objects, other bytes, and JSON that is not an object. All but the first do not begin as a ConfigMap does. */
const VALUES = [
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"bad","names',
  '\u0000\u0001k8s',
  '[]',
  'null',
  '{"kind":"ConfigMap","metadata":null}',
];

let engine: StorageEngine;
let clock: FakeClock;
let server: ApiServer;
let errors: unknown[];

beforeEach(() => {
  errors = [];
  engine = createMemoryEngine();
  clock = new FakeClock();
  server = createApiServer({ engine, clock, onError: (error) => errors.push(error) });
});

afterEach(async () => {
  await server.close();
  await engine.close();
});

async function store(text: string): Promise<void> {
  await engine.commit({ type: 'put', key: KEY, value: Buffer.from(text) });
}

async function names(): Promise<readonly string[]> {
  const { status, text } = await loopbackCall(server, 'GET', CONFIG_MAPS);
  expect(status).toBe(200);
  const { items }: { readonly items: readonly { readonly metadata: { readonly name: string } }[] } = JSON.parse(text);
  return items.map(({ metadata }) => metadata.name);
}

async function create(name: string): Promise<number> {
  return (await loopbackCall(server, 'POST', CONFIG_MAPS, { metadata: { name } })).status;
}

async function isReported(): Promise<boolean> {
  const { text: metrics } = await loopbackCall(server, 'GET', '/metrics');
  const { status, text: ready } = await loopbackCall(server, 'GET', '/readyz?verbose');
  expect(status).toBe(200);
  const inMetrics = metrics.includes('listwatch_cache_undecodable_objects{group="",resource="configmaps"} 1');
  expect(ready.includes('stored values that cannot be decoded: configmaps 1')).toBe(inMetrics);
  return inMetrics;
}

describe.each(VALUES)('a stored value that cannot be decoded: %j', (value) => {
  it('there at the start: it is reported once, its kind and all others are served', async () => {
    await store(value);
    await server.start();
    expect([await create('good'), await names()]).toEqual([201, ['good']]);
    expect((await loopbackCall(server, 'GET', '/api/v1/services')).status).toBe(200);
    expect(await isReported()).toBe(true);
    expect(errors).toHaveLength(1);
    expect(isStorageError(errors[0], 'CORRUPT') && errors[0].message).toContain(KEY);
    expect((await loopbackCall(server, 'GET', CONFIG_MAPS)).headers['warning']).toContain('cannot be decoded');
  });

  it('that another program writes later: the object is DELETED for watchers, and ADDED when a good one is written', async () => {
    await server.start();
    await create('bad');
    const { text } = await loopbackCall(server, 'GET', CONFIG_MAPS);
    const good = await engine.get(KEY);
    await store(value);
    expect(await names()).toEqual([]);
    expect(await isReported()).toBe(true);
    await engine.commit({ type: 'put', key: KEY, value: good.entry?.value ?? Buffer.alloc(0) });
    expect(await names()).toEqual(['bad']);
    expect(await isReported()).toBe(false);
    const { metadata }: { readonly metadata: { readonly resourceVersion: string } } = JSON.parse(text);
    const query = `watch=true&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`;
    // This server reads these changes from the history of the store, the other one has them in its window.
    await using late = createApiServer({ engine, clock });
    await late.start();
    for (const one of [server, late]) {
      const events = loopbackCall(one, 'GET', `${CONFIG_MAPS}?${query}`);
      await clock.advance(1000);
      expect(typesOf((await events).text)).toEqual(['DELETED', 'ADDED']);
    }
  });

  it('is deleted by a DELETE that ignores read errors, and by no other', async () => {
    await store(value);
    await server.start();
    const plain = await loopbackCall(server, 'DELETE', `${CONFIG_MAPS}/bad`);
    expect([plain.status, plain.text]).toEqual([500, expect.stringContaining(KEY)]);
    const options = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
    expect((await loopbackCall(server, 'DELETE', `${CONFIG_MAPS}/bad`, options)).status).toBe(200);
    expect((await engine.get(KEY)).entry).toBeUndefined();
    expect([await names(), await isReported()]).toEqual([[], false]);
    expect(await create('bad')).toBe(201);
  });

  it('is healed by a delete in the store, and is a 500 that names the key until then', async () => {
    await store(value);
    await server.start();
    for (const query of ['', '?resourceVersion=0']) {
      const { status, text } = await loopbackCall(server, 'GET', `${CONFIG_MAPS}/bad${query}`);
      expect([status, text]).toEqual([500, expect.stringContaining(KEY)]);
    }
    const update = { metadata: { name: 'bad' } };
    expect((await loopbackCall(server, 'PUT', `${CONFIG_MAPS}/bad`, update)).text).toContain(KEY);
    expect(errors).toHaveLength(1);
    await engine.commit({ type: 'delete', key: KEY });
    expect(await names()).toEqual([]);
    expect(await isReported()).toBe(false);
    expect((await loopbackCall(server, 'GET', `${CONFIG_MAPS}/bad`)).status).toBe(404);
  });
});

function typesOf(frames: string): readonly string[] {
  return Array.from(frames.matchAll(/^\{"type":"([A-Z]+)"/gmu), (match) => match[1] ?? '');
}
