/** An object is created only while its namespace and its definition are there, whichever server deletes them. */

import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CRDS, CustomServer, MERGE, pathOf, widget, widgets } from '../src/crd/custom-server.fixture.ts';
import type { Asked } from '../src/start/in-process-server.fixture.ts';
import { SteeredEngine } from './steered-engine.fixture.ts';

const NAMESPACES = '/api/v1/namespaces';
const APPLY = { type: 'application/apply-patch+yaml' };
const GROUP = 'guarded.example.com';
const NAME = `widgets.${GROUP}`;

let store: StorageEngine;
let engine: SteeredEngine;
/** The server under test, on the steered view. */
let late: CustomServer;
/** Another one on the same store. */
let other: CustomServer;

beforeEach(async () => {
  store = createMemoryEngine();
  engine = new SteeredEngine(store);
  other = await CustomServer.start({ engine: new SteeredEngine(store) });
  late = await CustomServer.start({ engine });
});

afterEach(async () => {
  await late[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await store.close();
});

async function isStored(key: string): Promise<boolean> {
  return (await store.get(key)).entry !== undefined;
}

/** Deletes the namespace through the other server, and lets it go as the namespace controller does when it is empty. */
async function deleteNamespace(name: string): Promise<void> {
  const { metadata } = await other.ok('DELETE', `${NAMESPACES}/${name}`);
  await other.ok('PUT', `${NAMESPACES}/${name}/finalize`, { metadata: { name, uid: metadata.uid }, spec: {} });
  expect(await isStored(`/registry/namespaces/${name}`)).toBe(false);
}

/** The three ways to create an object in a namespace, each with the key of what it creates. */
const CREATES = [
  {
    verb: 'POST',
    key: '/registry/configmaps/n/made',
    ask: () => late.ask('POST', `${NAMESPACES}/n/configmaps`, { metadata: { name: 'made' } }),
  },
  {
    verb: 'PUT',
    key: '/registry/leases/n/made',
    ask: () => late.ask('PUT', '/apis/coordination.k8s.io/v1/namespaces/n/leases/made', { metadata: { name: 'made' } }),
  },
  {
    verb: 'apply',
    key: '/registry/configmaps/n/made',
    ask: () =>
      late.ask(
        'PATCH',
        `${NAMESPACES}/n/configmaps/made?fieldManager=test`,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } },
        APPLY,
      ),
  },
] as const satisfies readonly { verb: string; key: string; ask: () => Promise<Asked> }[];

describe.each(CREATES)('$verb in a namespace', ({ key, ask }) => {
  beforeEach(async () => {
    await other.ok('POST', NAMESPACES, { metadata: { name: 'n' } });
    await late.until(200, 'GET', `${NAMESPACES}/n`);
  });

  it('that another server removes before the commit: 404, and no object is left behind', async () => {
    engine.beforeCommit(key, () => deleteNamespace('n'));
    const { status, body } = await ask();
    expect([status, body.message]).toEqual([404, 'namespaces "n" not found']);
    expect(await isStored(key)).toBe(false);
  });

  it('that another server marks as deleted before the commit: 403, and no object is left behind', async () => {
    engine.beforeCommit(key, () => other.ok('DELETE', `${NAMESPACES}/n`));
    const { status, body } = await ask();
    expect([status, body.details.causes[0].reason]).toEqual([403, 'NamespaceTerminating']);
    expect(await isStored(key)).toBe(false);
  });

  it('that another server changes before the commit: the object is created', async () => {
    const labels = { metadata: { labels: { a: 'b' } } };
    engine.beforeCommit(key, () => other.ok('PATCH', `${NAMESPACES}/n`, labels, MERGE));
    expect((await ask()).status).toBe(201);
    expect(await isStored(key)).toBe(true);
  });

  it('keeps the object when another namespace goes meanwhile and the store cannot be read afterwards', async () => {
    await late.ok('POST', NAMESPACES, { metadata: { name: 'unrelated' } });
    engine.beforeCommit(key, async () => {
      await late.ok('DELETE', `${NAMESPACES}/unrelated`);
      engine.failReads('/registry/namespaces/n');
    });
    expect((await ask()).status).toBe(201);
    expect(await isStored(key)).toBe(true);
  });
});

describe('an object of a custom kind', () => {
  const key = `/registry/${GROUP}/widgets/default/made`;
  const made = widget(GROUP, 'made', { spec: { a: 'x' } });
  const creates = [
    { verb: 'POST', ask: () => late.ask('POST', pathOf(GROUP), made) },
    { verb: 'apply', ask: () => late.ask('PATCH', `${pathOf(GROUP)}/made?fieldManager=test`, made, APPLY) },
  ] as const satisfies readonly { verb: string; ask: () => Promise<Asked> }[];

  beforeEach(async () => {
    await other.install(widgets(GROUP));
    await late.until(200, 'GET', pathOf(GROUP));
    await late.established(NAME);
  });

  it.each(creates)('$verb on a server that has not heard that the definition is gone: 403', async ({ ask }) => {
    const release = engine.holdFeed();
    await other.uninstall(NAME);
    const { status, body } = await ask();
    release();
    expect([status, body.message]).toEqual([403, expect.stringContaining('definition is terminating')]);
    expect(await isStored(key)).toBe(false);
  });

  it.each(creates)('$verb while another server marks the definition as deleted: 403', async ({ ask }) => {
    // Held by a finalizer of a client, the definition stays.
    await other.ok('PATCH', `${CRDS}/${NAME}`, { metadata: { finalizers: ['example.com/keep'] } }, MERGE);
    const release = engine.holdFeed();
    engine.beforeCommit(key, () => other.ok('DELETE', `${CRDS}/${NAME}`));
    const { status } = await ask();
    release();
    expect(status).toBe(403);
    expect(await isStored(key)).toBe(false);
  });

  it.each(creates)('$verb for a definition that was replaced by another of its name: 403', async ({ ask }) => {
    const release = engine.holdFeed();
    await other.uninstall(NAME);
    await other.install(widgets(GROUP));
    const { status } = await ask();
    release();
    expect(status).toBe(403);
    expect(await isStored(key)).toBe(false);
  });

  it.each(creates)('$verb while the definition changes otherwise: it is created', async ({ ask }) => {
    const release = engine.holdFeed();
    await other.ok('PATCH', `${CRDS}/${NAME}`, { metadata: { labels: { a: 'b' } } }, MERGE);
    engine.beforeCommit(key, () => other.ok('PATCH', `${CRDS}/${NAME}`, { metadata: { labels: { a: 'c' } } }, MERGE));
    const { status } = await ask();
    release();
    expect(status).toBe(201);
    expect(await isStored(key)).toBe(true);
  });
});
