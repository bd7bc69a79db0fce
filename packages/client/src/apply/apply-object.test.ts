import { applyConflict, isConflict, isNotFound } from '@listwatch/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConfigMap, configMaps } from '../../test/config-maps.ts';
import { ObservedServer } from '../../test/observed-server.ts';
import { type ScriptedAnswer, ScriptedTransport } from '../../test/scripted-transport.ts';
import { createCluster } from '../create-cluster.ts';
import { type ApplyObjectOptions, applyObject } from './apply-object.ts';

const target = { namespace: 'default', name: 'a' };
const wanted = (data: Readonly<Record<string, string>>) => ({ metadata: target, data });

const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name: uid, uid });

const answer = (resourceVersion: string, data = {}): ScriptedAnswer => ({
  body: JSON.stringify({ kind: 'ConfigMap', metadata: { ...target, resourceVersion }, data }),
});
const status = (code: number, reason: string): ScriptedAnswer => ({
  status: code,
  body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', code, reason }),
});

async function applied(options: ApplyObjectOptions<ConfigMap>, ...answers: readonly ScriptedAnswer[]) {
  const transport = new ScriptedTransport(...answers);
  const cluster = createCluster(transport, { server: 'test' });
  const { outcome } = await applyObject(cluster, configMaps, wanted({ a: '1' }), options);
  return { outcome, asked: transport.requests.map(({ method, path }) => `${method} ${path}`) };
}

describe('on a server without server-side apply', () => {
  let server: ObservedServer;

  beforeEach(async () => {
    server = await ObservedServer.start({ hasApply: false });
  });

  afterEach(() => server[Symbol.asyncDispose]());

  const apply = (data: Readonly<Record<string, string>>, options?: ApplyObjectOptions<ConfigMap>) =>
    applyObject(server.cluster, configMaps, wanted(data), options);

  it('creates the object, patches what differs, and writes nothing when nothing does', async () => {
    expect(await apply({ a: '1' })).toMatchObject({ outcome: 'created', object: { data: { a: '1' } } });
    expect(server.taken()).toEqual(['GET', 'PATCH apply-patch', 'GET', 'POST']);
    expect(await apply({ a: '2', b: '3' })).toMatchObject({
      outcome: 'configured',
      object: { data: { a: '2', b: '3' } },
    });
    expect(server.taken()).toEqual(['GET', 'PATCH merge-patch']);
    expect(await apply({ a: '2', b: '3' })).toMatchObject({
      outcome: 'unchanged',
      object: { data: { a: '2', b: '3' } },
    });
    expect(server.taken()).toEqual(['GET']);
  });

  it('removes what it applied before, and keeps what others wrote', async () => {
    await apply({ mine: '1', kept: '1' });
    await server.others.patch(configMaps, target, { type: 'merge', body: { data: { theirs: '2' } } });
    const { object } = await apply({ kept: '1' });
    expect(object.data).toEqual({ kept: '1', theirs: '2' });
    await server.others.patch(configMaps, target, { type: 'merge', body: { data: { kept: 'changed' } } });
    expect((await apply({ kept: '1' })).object.data).toEqual({ kept: '1', theirs: '2' });
  });

  it('removes only what the same manager applied', async () => {
    await apply({ a: '1' }, { fieldManager: 'first' });
    await apply({ b: '2' }, { fieldManager: 'second manager, with a name that no annotation can have' });
    expect((await apply({}, { fieldManager: 'first' })).object.data).toEqual({ b: '2' });
  });

  it('adds and removes its own owners and finalizers, and keeps those of others', async () => {
    const applyWith = (finalizers: readonly string[], ...owners: readonly string[]) =>
      applyObject(server.cluster, configMaps, {
        metadata: { ...target, finalizers, ownerReferences: owners.map(owner) },
      });
    await applyWith(['test/mine'], 'mine');
    const { metadata } = await server.others.get(configMaps, target);
    const others = { finalizers: ['test/mine', 'test/theirs'], ownerReferences: [owner('mine'), owner('theirs')] };
    await server.others.update(configMaps, { metadata: { ...metadata, ...others } });
    server.taken();
    expect(await applyWith(['test/mine'], 'mine')).toMatchObject({ outcome: 'unchanged' });
    expect(server.taken()).toEqual(['GET']);
    const { object } = await applyWith([], 'another');
    expect(object.metadata.finalizers).toEqual(['test/theirs']);
    expect(object.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(['theirs', 'another']);
    const { object: last } = await applyObject(server.cluster, configMaps, { metadata: target });
    expect(last.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(['theirs']);
  });

  it('uses the object that the caller knows', async () => {
    const { object } = await apply({ a: '1' });
    server.taken();
    expect(await apply({ a: '1' }, { current: object })).toEqual({ outcome: 'unchanged', object });
    expect(server.taken()).toEqual([]);
    expect(await apply({ a: '2' }, { current: object })).toMatchObject({ outcome: 'configured' });
    expect(server.taken()).toEqual(['PATCH merge-patch']);
    // It is too old now.
    expect((await apply({ a: '3' }, { current: object })).object.data).toEqual({ a: '3' });
    expect(server.taken()).toEqual(['PATCH merge-patch', 'GET', 'PATCH merge-patch']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['changes', () => server.others.patch(configMaps, target, { type: 'merge', body: { data: { a: '9' } } })],
    ['goes', () => server.others.delete(configMaps, target)],
    [
      'is replaced by another of its name',
      async () => {
        await server.others.delete(configMaps, target);
        await server.others.create(configMaps, { metadata: target, data: { theirs: '1' } });
      },
    ],
  ])('an object that %s before the patch arrives still has in the end what was applied', async (_, change) => {
    await apply({ a: '1', same: '1' });
    let isOpen = true;
    server.onRequest = async ({ method }) => {
      if (method !== 'PATCH' || !isOpen) return;
      isOpen = false;
      await change();
    };
    expect((await apply({ a: '2', same: '1' })).object.data).toMatchObject({ a: '2', same: '1' });
  });

  it('an object that comes before it is created is patched', async () => {
    server.onRequest = async ({ method }) => {
      if (method === 'POST') await server.others.create(configMaps, wanted({ theirs: '1' }));
    };
    expect(await apply({ a: '1' })).toMatchObject({ outcome: 'configured', object: { data: { a: '1', theirs: '1' } } });
  });

  it('gives up on an object that changes before every patch', async () => {
    await apply({ a: '1' });
    server.taken();
    let count = 0;
    server.onRequest = async ({ method }) => {
      count += 1;
      const patch = { type: 'merge', body: { data: { count: `${count}` } } } as const;
      if (method === 'PATCH') await server.others.patch(configMaps, target, patch);
    };
    await expect(apply({ a: '2' })).rejects.toSatisfy(isConflict);
    expect(server.taken()).toHaveLength(20);
  });

  it('a version that the object names must be the right one', async () => {
    const { object } = await apply({ a: '1' });
    const pinned = {
      ...wanted({ a: '2' }),
      metadata: { ...target, resourceVersion: object.metadata.resourceVersion ?? '' },
    };
    expect(await applyObject(server.cluster, configMaps, pinned)).toMatchObject({ outcome: 'configured' });
    await expect(applyObject(server.cluster, configMaps, pinned)).rejects.toSatisfy(isConflict);
  });

  it('a dry run says what would be done and changes nothing', async () => {
    expect(await apply({ a: '1' }, { dryRun: true })).toMatchObject({ outcome: 'created' });
    await expect(server.others.get(configMaps, target)).rejects.toSatisfy(isNotFound);
    const { object } = await apply({ a: '1' });
    expect(await apply({ a: '2' }, { dryRun: true })).toMatchObject({ outcome: 'configured' });
    expect(await server.others.get(configMaps, target)).toEqual(object);
  });

  it('an object in a namespace that is not there is refused', async () => {
    const lost = { metadata: { name: 'a', namespace: 'nowhere' } };
    await expect(applyObject(server.cluster, configMaps, lost)).rejects.toSatisfy(isNotFound);
  });
});

describe('on a server with server-side apply', () => {
  const path = '/api/v1/namespaces/default/configmaps/a';

  it('reads the version before and applies', async () => {
    expect(await applied({}, status(404, 'NotFound'), answer('1'))).toEqual({
      outcome: 'created',
      asked: [`GET ${path}`, `PATCH ${path}?fieldManager=listwatch`],
    });
    expect(await applied({}, answer('1'), answer('2'))).toMatchObject({ outcome: 'configured' });
    expect(await applied({}, answer('1'), answer('1'))).toMatchObject({ outcome: 'unchanged' });
  });

  it('does not read what the caller knows', async () => {
    const current = { metadata: { ...target, resourceVersion: '1' } };
    expect(await applied({ current, force: true, fieldManager: 'me' }, answer('2'))).toEqual({
      outcome: 'configured',
      asked: [`PATCH ${path}?fieldManager=me&force=true`],
    });
  });

  it('works for someone who may not read', async () => {
    expect(await applied({}, status(403, 'Forbidden'), answer('2'))).toMatchObject({ outcome: 'configured' });
  });

  it('compares the contents of a dry run', async () => {
    const dryRun = true;
    expect(await applied({ dryRun }, answer('1', { a: '1' }), answer('1', { a: '1' }))).toMatchObject({
      outcome: 'unchanged',
    });
    expect(await applied({ dryRun }, answer('1', { a: '0' }), answer('1', { a: '1' }))).toMatchObject({
      outcome: 'configured',
    });
  });

  it('rejects with the conflicts of other managers', async () => {
    const conflict = applyConflict('Apply failed', [{ reason: 'FieldManagerConflict', message: 'conflict with "b"' }]);
    const refused = { status: 409, body: JSON.stringify(conflict.status) };
    await expect(applied({}, answer('1'), refused)).rejects.toSatisfy(isConflict);
  });

  it('refuses options that it does not have', async () => {
    const options: object = { subresource: 'status' };
    await expect(applied(options)).rejects.toThrow('unknown option "subresource" of applyObject');
  });
});
