import { FINALIZER } from '@listwatch/api';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { expect, it, vi } from 'vitest';
import { type ApiServer, createApiServer } from '../src/index.ts';
import { loopbackCall } from '../src/start/loopback-call.fixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u-1' };

async function start(engine: StorageEngine): Promise<ApiServer> {
  const server = createApiServer({ engine });
  await server.start();
  return server;
}

async function call(server: ApiServer, method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await loopbackCall(server, method, path, body);
  expect(status, text).toBeLessThan(300);
}

function owned(server: ApiServer): readonly string[] {
  return server.ownedKinds.current.map(({ plural }) => plural).toSorted();
}

function secret(name: string, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...metadata } };
}

it('a kind is owned from its first object with owners until its last one goes', async () => {
  await using engine = createMemoryEngine();
  await using server = await start(engine);
  const seen: (readonly string[])[] = [];
  const off = server.ownedKinds.subscribe(() => seen.push(owned(server)));
  await call(server, 'POST', SECRETS, secret('plain'));
  expect(owned(server)).toEqual([]);
  await call(server, 'POST', SECRETS, secret('a', { ownerReferences: [OWNER] }));
  await call(server, 'POST', SECRETS, secret('b', { ownerReferences: [OWNER] }));
  await vi.waitFor(() => expect(owned(server)).toEqual(['secrets']), 20_000);
  await call(server, 'DELETE', `${SECRETS}/a`);
  expect(owned(server)).toEqual(['secrets']);
  await call(server, 'DELETE', `${SECRETS}/b`);
  await vi.waitFor(() => expect(owned(server)).toEqual([]), 20_000);
  off();
  await call(server, 'POST', SECRETS, secret('c', { ownerReferences: [OWNER] }));
  await vi.waitFor(() => expect(owned(server)).toEqual(['secrets']), 20_000);
  expect(seen).toEqual([['secrets'], []]);
});

it.each([FINALIZER.foregroundDeletion, FINALIZER.orphan])('the finalizer %s makes a kind owned', async (finalizer) => {
  await using engine = createMemoryEngine();
  await using server = await start(engine);
  const metadata = { name: 'a', finalizers: [finalizer] };
  await call(server, 'POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await vi.waitFor(() => expect(owned(server)).toEqual(['configmaps']), 20_000);
});

it('the version of the last write of an object with owners is known, before and after a restart', async () => {
  await using engine = createMemoryEngine();
  await using server = await start(engine);
  const secrets = { group: '', plural: 'secrets' };
  expect(server.ownedKinds.lastWrite(secrets)).toBeUndefined();
  const made = await loopbackCall(server, 'POST', SECRETS, secret('a', { ownerReferences: [OWNER] }));
  const version = String(JSON.parse(made.text).metadata.resourceVersion);
  await call(server, 'POST', SECRETS, secret('plain'));
  await server.forgetChanges();
  expect(server.ownedKinds.lastWrite(secrets)).toBe(version);
  await using next = await start(engine);
  expect(next.ownedKinds.lastWrite(secrets)).toBe(version);
  expect(next.ownedKinds.lastWrite({ group: 'example.com', plural: 'widgets' })).toBeUndefined();
});

it('other finalizers and Events with owners do not concern the garbage collector', async () => {
  await using engine = createMemoryEngine();
  await using server = await start(engine);
  await call(server, 'POST', CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', finalizers: ['example.com/keep'] },
  });
  await call(server, 'POST', '/api/v1/namespaces/default/events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', ownerReferences: [OWNER] },
    involvedObject: { namespace: 'default' },
  });
  await server.forgetChanges();
  expect(owned(server)).toEqual([]);
});

it('writes of another server on the store count, and so does what was there before the start', async () => {
  await using engine = createMemoryEngine();
  await using first = await start(engine);
  await using second = await start(engine);
  await call(first, 'POST', SECRETS, secret('a', { ownerReferences: [OWNER] }));
  await vi.waitFor(() => expect(owned(second)).toEqual(['secrets']), 20_000);
  await using third = await start(engine);
  expect(owned(third)).toEqual(['secrets']);
  await call(first, 'DELETE', `${SECRETS}/a`);
  await vi.waitFor(() => expect(owned(third)).toEqual([]), 20_000);
});

it('a listener that throws neither ends the feed nor keeps the others from hearing', async () => {
  await using engine = createMemoryEngine();
  const errors: unknown[] = [];
  await using server = createApiServer({ engine, onError: (error) => errors.push(error) });
  await server.start();
  let told = 0;
  server.ownedKinds.subscribe(() => {
    throw new Error('a bad listener');
  });
  server.ownedKinds.subscribe(() => (told += 1));
  await call(server, 'POST', SECRETS, secret('a', { ownerReferences: [OWNER] }));
  await vi.waitFor(() => expect(told).toBe(1), 20_000);
  expect(errors).toEqual([new Error('a bad listener')]);
  await call(server, 'GET', `${SECRETS}/a`);
});
