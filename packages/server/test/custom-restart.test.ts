/** Custom kinds on stores that outlive a server. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EtcdProcess, needs, startEtcd } from '@listwatch/conformance/parts';
import type { StorageEngine } from '@listwatch/storage';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  CRDS,
  CustomServer,
  condition,
  LIMIT,
  MERGE,
  pathOf,
  specSchema,
  widget,
  widgets,
} from '../src/crd/custom-server.fixture.ts';

const schema = { openAPIV3Schema: specSchema({ a: { type: 'string' } }) };
const versions = (stored: 'v1' | 'v2'): object[] =>
  ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === stored, schema }));

/** Starts a server on the store, uses it, and ends it. */
async function withServer<T>(
  open: () => Promise<StorageEngine>,
  use: (server: CustomServer) => Promise<T>,
): Promise<T> {
  const engine = await open();
  const server = await CustomServer.start({ engine });
  try {
    return await use(server);
  } finally {
    await server[Symbol.asyncDispose]();
    await engine.close();
  }
}

/** What a restart must keep: names, stored versions, objects of both, and the versions that watches resume from. */
async function survivesRestart(open: () => Promise<StorageEngine>): Promise<void> {
  const group = 'kept.example.com';
  const { resourceVersion, uid } = await withServer(open, async (server) => {
    await server.install(widgets(group, {}, { versions: versions('v1') }));
    await server.ok('POST', pathOf(group), widget(group, 'old', { spec: { a: 'x' } }));
    await server.ok('PATCH', `${CRDS}/widgets.${group}`, { spec: { versions: versions('v2') } }, MERGE);
    await vi.waitFor(async () => {
      const { status } = await server.ok('GET', `${CRDS}/widgets.${group}`);
      expect(status.storedVersions).toEqual(['v1', 'v2']);
    }, LIMIT);
    const list = await server.ok('GET', pathOf(group));
    await server.ok('POST', pathOf(group, '', 'v2'), widget(group, 'new', { spec: { a: 'y' } }, 'v2'));
    return { resourceVersion: list.metadata.resourceVersion, uid: list.items[0].metadata.uid };
  });
  await withServer(open, async (server) => {
    const definition = await server.ok('GET', `${CRDS}/widgets.${group}`);
    expect(definition.status).toMatchObject({
      storedVersions: ['v1', 'v2'],
      acceptedNames: { plural: 'widgets', kind: 'Widget', listKind: 'WidgetList', singular: 'widget' },
    });
    expect(condition(definition, 'Established').status).toBe('True');
    expect(condition(definition, 'NamesAccepted').status).toBe('True');
    const { items } = await server.ok('GET', pathOf(group));
    expect(items).toMatchObject([
      { apiVersion: `${group}/v1`, metadata: { name: 'new' }, spec: { a: 'y' } },
      { apiVersion: `${group}/v1`, metadata: { name: 'old', uid }, spec: { a: 'x' } },
    ]);
    for (const version of ['v1', 'v2']) {
      const watch = await server.watch(`${pathOf(group, '', version)}?resourceVersion=${resourceVersion}`);
      await vi.waitFor(() => expect(watch.events).toHaveLength(1), LIMIT);
      expect(watch.events).toMatchObject([
        { type: 'ADDED', object: { apiVersion: `${group}/${version}`, metadata: { name: 'new' } } },
      ]);
      watch.stop();
    }
    // The accepted names are still taken.
    const twin = widgets(group, {}, { names: { plural: 'others', kind: 'Widget' } });
    await server.ok('POST', CRDS, { ...twin, metadata: { name: `others.${group}` } });
    await vi.waitFor(async () => {
      const refused = await server.ok('GET', `${CRDS}/others.${group}`);
      expect(condition(refused, 'NamesAccepted')).toMatchObject({ status: 'False', reason: 'ListKindConflict' });
    }, LIMIT);
    await server.uninstall(`widgets.${group}`);
  });
  await withServer(open, async (server) => {
    expect((await server.ask('GET', pathOf(group))).status).toBe(404);
    expect(
      (await server.ok('GET', CRDS)).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
    ).toEqual([`others.${group}`]);
  });
}

describe('a custom kind', () => {
  it('survives a restart on lmdb', async () => {
    const path = mkdtempSync(join(tmpdir(), 'listwatch-custom-'));
    await survivesRestart(() => openLmdbEngine({ path }));
    rmSync(path, { recursive: true, force: true });
  });
});

describe('a custom kind on etcd', needs('etcd'), () => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(async () => {
    await etcd.stop();
  });

  /** Engines of one store. */
  function store(): () => Promise<StorageEngine> {
    const options = { endpoints: [etcd.endpoint], root: `/${randomUUID()}` };
    return async () =>
      createEtcdEngine({ ...options, compaction: 'off', progressRequests: await answersProgressInOrder(options) });
  }

  it('survives a restart', async () => {
    await survivesRestart(store());
  });

  it('is served by every server as soon as one has established it, and follows its changes', async () => {
    const open = store();
    const engines = await Promise.all([open(), open(), open()]);
    const servers = await Promise.all(engines.map((engine) => CustomServer.start({ engine })));
    const [first, second, third] = servers;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three servers');
    const group = 'shared.example.com';
    await first.install(widgets(group));
    await second.ok('POST', pathOf(group), widget(group, 'w', { spec: { a: 'x' } }));
    expect((await third.ok('GET', `/apis/${group}/v1`)).resources).toMatchObject([{ name: 'widgets' }]);
    const watch = await third.watch(pathOf(group));
    await vi.waitFor(() => expect(watch.events).toMatchObject([{ type: 'ADDED' }]), LIMIT);
    const narrowed = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: specSchema({}) } }];
    await second.ok('PATCH', `${CRDS}/widgets.${group}`, { spec: { versions: narrowed } }, MERGE);
    await vi.waitFor(() => expect(watch.isEnded).toBe(true), LIMIT);
    for (const server of servers) {
      await vi.waitFor(async () => {
        expect((await server.ok('GET', pathOf(group, '/w'))).spec).toEqual({});
      }, LIMIT);
    }
    await third.uninstall(`widgets.${group}`);
    for (const server of servers) await server.until(404, 'GET', pathOf(group));
    for (const server of servers) await server[Symbol.asyncDispose]();
    for (const engine of engines) await engine.close();
  });
});
