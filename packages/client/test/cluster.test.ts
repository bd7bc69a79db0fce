import { type ApiObject, isConflict, isNotFound, isStatus, type Resource, resource } from '@listwatch/api';
import { TestAuthority } from '@listwatch/conformance/parts';
import { createApiServer, firstAuthenticator, parseTokenFile, tokenAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, createCluster } from '../src/index.ts';
import { type ConfigMap, configMaps } from './config-maps.ts';
import { HttpTransport } from './http-transport.ts';

interface Pod extends ApiObject {
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
  readonly status?: { readonly phase?: string };
}

const pods: Resource<Pod> = resource<Pod>({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });

/** A decoder of one's own. */
const sizeOnly = (json: Uint8Array): ConfigMap => ({ metadata: { name: `${json.length > 20}` } });

let cluster: Cluster;
const cleanup: AsyncDisposable[] = [];

beforeAll(async () => {
  using authority = new TestAuthority();
  const server = createApiServer({
    engine: createMemoryEngine(),
    tls: authority.server(),
    insecurePort: 0,
    authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile('token,tester,1,"system:masters"\n'))]),
  });
  await server.listen();
  const url = server.insecureUrl ?? expect.unreachable();
  cluster = createCluster(new HttpTransport(url, 'token'), { server: url });
  cleanup.push(cluster, server);
  for (const name of ['verbs', 'pages', 'watch', 'many']) await cluster.create(namespaces, { metadata: { name } });
});

afterAll(async () => {
  for (const each of cleanup) await each[Symbol.asyncDispose]();
});

test('an object is created, read, updated, patched and deleted', async () => {
  const target = { namespace: 'verbs', name: 'a' };
  const created = await cluster.create(configMaps, { metadata: target, data: { step: '0' } });
  expect(created).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { step: '0' } });

  const updated = await cluster.update(configMaps, { ...created, data: { step: '1' } });
  expect(await cluster.get(configMaps, target)).toEqual(updated);
  await expect(cluster.update(configMaps, created)).rejects.toSatisfy(isConflict);

  const replace = [{ op: 'replace', path: '/data/step', value: '2' }] as const;
  expect(await cluster.patch(configMaps, target, { type: 'json', body: replace })).toMatchObject({
    data: { step: '2' },
  });
  const merge = { data: { step: null, merged: 'yes' } };
  expect(await cluster.patch(configMaps, target, { type: 'merge', body: merge })).toMatchObject({
    data: { merged: 'yes' },
  });

  const gone = await cluster.delete(configMaps, target, { preconditions: { uid: created.metadata.uid ?? '' } });
  expect(isStatus(gone) && gone.status).toBe('Success');
  await expect(cluster.get(configMaps, target)).rejects.toSatisfy(isNotFound);
});

test('an object without a namespace is created in that of the cluster, and may leave its name to the server', async () => {
  const { metadata } = await cluster.create(configMaps, { metadata: { generateName: 'made-' } });
  expect(metadata).toMatchObject({ namespace: 'default', name: expect.stringMatching(/^made-/) });
});

test('a dry run changes nothing', async () => {
  await cluster.create(configMaps, { metadata: { namespace: 'verbs', name: 'dry' } }, { dryRun: true });
  await expect(cluster.get(configMaps, { namespace: 'verbs', name: 'dry' })).rejects.toSatisfy(isNotFound);
});

test('status is written by its subresource, and an object that stays for a while is the answer to its deletion', async () => {
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const metadata = { namespace: 'verbs', name: 'p', finalizers: ['test/stay'] };
  const pod = await cluster.create(pods, { metadata, spec });
  const status = { phase: 'Running' };
  const running = await cluster.update(pods, { ...pod, status }, { subresource: 'status' });
  expect(running.status).toMatchObject(status);
  const patch = { type: 'merge', body: { status: { phase: 'Failed' } } } as const;
  const failed = await cluster.patch(pods, { namespace: 'verbs', name: 'p' }, patch, { subresource: 'status' });
  expect(failed.status).toMatchObject({ phase: 'Failed' });
  const going = await cluster.delete(pods, { namespace: 'verbs', name: 'p' }, { gracePeriodSeconds: 0 });
  expect(going).toMatchObject({ kind: 'Pod', metadata: { deletionTimestamp: expect.any(String) } });
});

test('a list in pages, selected, decoded, and deleted as a collection', async () => {
  const namespace = 'pages';
  for (let i = 0; i < 7; i += 1) {
    const labels = { half: i % 2 === 0 ? 'even' : 'odd' };
    await cluster.create(configMaps, { metadata: { namespace, name: `c${i}`, labels } });
  }
  const seen: (string[] | number)[] = [];
  for await (const page of cluster.pages(configMaps, { namespace, limit: 3 })) {
    seen.push(
      page.number,
      (await page.items()).map(({ metadata, kind }) => `${kind} ${metadata.name}`),
    );
  }
  expect(seen).toEqual([
    1,
    ['ConfigMap c0', 'ConfigMap c1', 'ConfigMap c2'],
    2,
    ['ConfigMap c3', 'ConfigMap c4', 'ConfigMap c5'],
    3,
    ['ConfigMap c6'],
  ]);
  const odd = await cluster.list(configMaps, { namespace, labelSelector: 'half=odd' });
  expect(odd).toMatchObject({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: expect.any(String) },
  });
  expect(odd.items.map(({ metadata }) => metadata.name)).toEqual(['c1', 'c3', 'c5']);

  expect((await cluster.list(configMaps, { namespace, limit: 1, decode: sizeOnly })).items).toEqual([
    { metadata: { name: 'true' } },
  ]);

  await cluster.deleteCollection(configMaps, { namespace, labelSelector: 'half=even' });
  expect((await cluster.list(configMaps, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual([
    'c1',
    'c3',
    'c5',
  ]);
});

test('a list of many chunks is the list', async () => {
  const data = { text: 'é"\\{}[]'.repeat(500) };
  const names = Array.from({ length: 100 }, (_, i) => `m${String(i).padStart(3, '0')}`);
  for (const name of names) await cluster.create(configMaps, { metadata: { namespace: 'many', name }, data });
  const { items } = await cluster.list(configMaps, { namespace: 'many' });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
  expect(items.every((item) => item.data?.['text'] === data.text && item.kind === 'ConfigMap')).toBe(true);
});

test('metadata alone: of one object, of a list and of a watch', async () => {
  const namespace = 'many';
  const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'm000' } };
  const projection = 'metadata';
  const one = await cluster.get(configMaps, { namespace, name: 'm000' }, { projection });
  const { items } = await cluster.list(configMaps, { namespace, limit: 1, projection });
  expect([one, ...items]).toMatchObject([partial, partial]);
  expect([one.data, items[0]?.data]).toEqual([undefined, undefined]);
  for await (const event of cluster.watch(configMaps, { namespace, projection, resourceVersion: '0' })) {
    expect(event).toMatchObject({ type: 'ADDED', object: partial });
    expect(event.object).not.toHaveProperty('data');
    break;
  }
});

test('a watch sees what happens, and ends when its time is over', async () => {
  const namespace = 'watch';
  const { metadata } = await cluster.list(configMaps, { namespace });
  const query = { namespace, resourceVersion: metadata.resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 1 };
  const stream = cluster.watch(configMaps, query);
  const events: string[] = [];
  const target = { namespace, name: 'w' };
  await cluster.create(configMaps, { metadata: target });
  await cluster.patch(configMaps, target, { type: 'merge', body: { data: { a: 'b' } } });
  await cluster.delete(configMaps, target);
  for await (const { type } of stream) if (type !== 'BOOKMARK') events.push(type);
  expect(events).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  expect(stream.opened).toBe(true);
});

test('what the server refuses is its StatusError, whatever the verb', async () => {
  const nobody = resource({ version: 'v1', plural: 'nothings', kind: 'Nothing', namespaced: true });
  await expect(cluster.list(nobody)).rejects.toSatisfy(isNotFound);
  await expect(cluster.watch(nobody)[Symbol.asyncIterator]().next()).rejects.toSatisfy(isNotFound);
  await expect(cluster.delete(configMaps, { namespace: 'verbs', name: 'no' })).rejects.toSatisfy(isNotFound);
});
