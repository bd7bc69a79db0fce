import { resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps } from '../test/config-maps.ts';
import { type ScriptedAnswer, ScriptedBody, ScriptedTransport } from '../test/scripted-transport.ts';
import type { Cluster } from './cluster.ts';
import { createCluster, decorateCluster } from './create-cluster.ts';
import { discover } from './discovery/discover.ts';
import type { Patch } from './object-part.ts';
import { evict } from './pods/evict.ts';
import { podLogs } from './pods/pod-logs.ts';
import { assemble } from './transport/layers/assemble.ts';
import { logging } from './transport/layers/logging.ts';
import { TransportError } from './transport/transport-error.ts';

const target = { namespace: 'n', name: 'a' };
const object: ConfigMap = { kind: 'ConfigMap', apiVersion: 'v1', metadata: target };
const OBJECT = JSON.stringify(object);

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly accept: string | undefined;
  readonly type: string | undefined;
  readonly body: unknown;
}

/** What a call sends, when the server answers with an object. */
async function sent(call: (cluster: Cluster) => Promise<unknown>, answer: string = OBJECT): Promise<Asked> {
  const transport = new ScriptedTransport({ body: answer });
  await call(createCluster(transport, { server: 'https://test', namespace: 'own' }));
  const [request] = transport.requests;
  if (request === undefined) return expect.unreachable();
  const { method, path, headers, body } = request;
  const json: unknown = body === undefined ? undefined : JSON.parse(new TextDecoder().decode(body));
  const header = (name: string): string | undefined => headers[name]?.toString();
  return { method, path, accept: header('accept'), type: header('content-type'), body: json };
}

/** How a get fails on an answer. */
async function failed(answer: ScriptedAnswer): Promise<unknown> {
  const cluster = createCluster(new ScriptedTransport(answer), { server: 'https://test' });
  return cluster.get(configMaps, target).then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error,
  );
}

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    'with %i is an error that names its location, for a write as for a read',
    async (status) => {
      const answer = { status, headers: { location: 'https://other/api' }, body: OBJECT };
      const cluster = createCluster(new ScriptedTransport(answer, answer), { server: 'https://test' });
      const expected = {
        code: 'PROTOCOL',
        message: expect.stringContaining('to "https://other/api": redirects are not followed'),
      };
      await expect(cluster.create(configMaps, object)).rejects.toMatchObject(expected);
      await expect(cluster.get(configMaps, target)).rejects.toMatchObject(expected);
    },
  );
});

describe('what goes on the wire', () => {
  test('a get, with its version', async () => {
    expect(await sent((c) => c.get(configMaps, target, { resourceVersion: '0' }))).toEqual({
      method: 'GET',
      path: '/api/v1/namespaces/n/configmaps/a?resourceVersion=0',
      accept: 'application/json',
      type: undefined,
      body: undefined,
    });
  });

  test("a create: to the collection, in the object's namespace or that of the cluster, with its type", async () => {
    const options = { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' } as const;
    expect(await sent((c) => c.create(configMaps, { metadata: { name: 'a' }, data: {} }, options))).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/own/configmaps?dryRun=All&fieldManager=me&fieldValidation=Strict',
      type: 'application/json',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {} },
    });
    const { path } = await sent((c) => c.create(configMaps, { metadata: { ...target } }));
    expect(path).toBe('/api/v1/namespaces/n/configmaps');
  });

  test('what is created below an object goes there, and has the kind that it says', async () => {
    const binding = { kind: 'Binding', apiVersion: 'v1', metadata: target };
    expect(await sent((c) => c.create(configMaps, binding, { subresource: 'binding' }))).toMatchObject({
      path: '/api/v1/namespaces/n/configmaps/a/binding',
      body: binding,
    });
  });

  test('scale and status are read and written by their own paths', async () => {
    const base = '/api/v1/namespaces/n/configmaps/a';
    const scale = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: target, spec: { replicas: 3 } };
    expect(await sent((c) => c.get(configMaps, target, { subresource: 'scale' }))).toMatchObject({
      path: `${base}/scale`,
    });
    expect(await sent((c) => c.update(configMaps, scale, { subresource: 'scale' }))).toMatchObject({
      method: 'PUT',
      path: `${base}/scale`,
      body: scale,
    });
    expect(await sent((c) => c.update(configMaps, { metadata: target }, { subresource: 'status' }))).toMatchObject({
      path: `${base}/status`,
      body: object,
    });
  });

  test.each<[Patch, string]>([
    [{ type: 'json', body: [{ op: 'remove', path: '/data' }] }, 'application/json-patch+json'],
    [{ type: 'merge', body: { data: null } }, 'application/merge-patch+json'],
    [{ type: 'strategic', body: { data: {} } }, 'application/strategic-merge-patch+json'],
    [{ type: 'apply', body: { data: {} } }, 'application/apply-patch+yaml'],
  ])('a patch %j is %s', async (patch, type) => {
    const options = { fieldManager: 'me', force: true };
    expect(await sent((c) => c.patch(configMaps, target, patch, options))).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/namespaces/n/configmaps/a?fieldManager=me&force=true',
      type,
      body: patch.body,
    });
  });

  test('who applies must say who they are: nothing is sent', async () => {
    const transport = new ScriptedTransport();
    const cluster = createCluster(transport, { server: 'https://test' });
    await expect(cluster.patch(configMaps, target, { type: 'apply', body: {} })).rejects.toThrow(TypeError);
    expect(transport.requests).toEqual([]);
  });

  test('an apply: the fields that it has, with their type, under a manager', async () => {
    const wanted = { metadata: { name: 'a' }, data: { k: 'v' } };
    expect(await sent((c) => c.apply(configMaps, wanted))).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/namespaces/own/configmaps/a?fieldManager=listwatch',
      type: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ConfigMap', ...wanted },
    });
    const options = { fieldManager: 'me', force: true, dryRun: true, fieldValidation: 'Strict' } as const;
    const query = 'dryRun=All&fieldManager=me&fieldValidation=Strict&force=true';
    const status = await sent((c) => c.apply(configMaps, object, { ...options, subresource: 'status' }));
    expect(status.path).toBe(`/api/v1/namespaces/n/configmaps/a/status?${query}`);
  });

  test('a delete has a body only when there is something to say', async () => {
    const path = '/api/v1/namespaces/n/configmaps/a';
    expect(await sent((c) => c.delete(configMaps, target))).toMatchObject({ method: 'DELETE', path, body: undefined });
    const options = {
      dryRun: true,
      gracePeriodSeconds: 0,
      propagationPolicy: 'Orphan',
      preconditions: { uid: 'u' },
    } as const;
    expect((await sent((c) => c.delete(configMaps, target, options))).body).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      ...options,
      dryRun: ['All'],
    });
  });

  test('a collection is deleted by its selectors', async () => {
    const query = { namespace: 'n', labelSelector: 'a=b', fieldSelector: 'metadata.name=x' };
    expect(await sent((c) => c.deleteCollection(configMaps, query, { gracePeriodSeconds: 5 }))).toMatchObject({
      method: 'DELETE',
      path: '/api/v1/namespaces/n/configmaps?labelSelector=a%3Db&fieldSelector=metadata.name%3Dx',
      body: { gracePeriodSeconds: 5 },
    });
  });

  test('metadata alone is asked for with plain JSON to fall back on, and what is more is dropped', async () => {
    const fallback = 'g=meta.k8s.io;v=v1,application/json';
    const projection = 'metadata';
    expect(await sent((c) => c.get(configMaps, target, { projection }))).toMatchObject({
      accept: `application/json;as=PartialObjectMetadata;${fallback}`,
    });
    const listed = '{"kind":"ConfigMapList","items":[{"metadata":{"name":"a"},"data":{"a":"b"}}]}';
    const list = async (cluster: Cluster): Promise<void> => {
      const { items } = await cluster.list(configMaps, { projection });
      expect(items).toEqual([{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } }]);
    };
    expect(await sent(list, listed)).toMatchObject({
      accept: `application/json;as=PartialObjectMetadataList;${fallback}`,
    });
  });

  test('everybody is told who asks, and only a watch may be silent', async () => {
    const transport = new ScriptedTransport({ body: OBJECT }, { body: '' });
    const cluster = createCluster(transport, { server: 'https://test', userAgent: 'me/1' });
    await cluster.get(configMaps, target);
    await cluster.watch(configMaps)[Symbol.asyncIterator]().next();
    expect(transport.requests).toMatchObject([
      { headers: { 'user-agent': 'me/1' }, idleTimeoutMs: 60_000 },
      { headers: { 'user-agent': 'me/1' }, idleTimeoutMs: undefined },
    ]);
  });

  test('what no path can say is refused before anything is sent', async () => {
    const nodes = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
    const cluster = createCluster(new ScriptedTransport(), { server: 'https://test' });
    await expect(cluster.get(nodes, { name: 'a', namespace: 'n' })).rejects.toThrow(TypeError);
    expect(() => cluster.pages(nodes, { namespace: 'n' })).toThrow(TypeError);
    expect(() => cluster.pages(nodes, { limit: 0.5 })).toThrow(RangeError);
    expect(() => cluster.watch(nodes, { namespace: 'n' })).toThrow(TypeError);
  });
});

describe('misuse fails at the call', () => {
  const nodes = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
  const transport = new ScriptedTransport();
  const cluster = createCluster(transport, { server: 'https://test', namespace: 'own' });

  /** As plain JavaScript would call it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the compiler would refuse what is tested here
  const loose: any = cluster;

  test.each([
    ['get', () => loose.get(configMaps, { name: 'a' }, { projecton: 'metadata' }), 'unknown option "projecton" of get'],
    ['get', () => loose.get(configMaps, {}), 'get needs the name of an object'],
    ['list', () => loose.list(configMaps, { labelSelectors: 'a=b' }), 'unknown option "labelSelectors" of list'],
    ['list', () => loose.list(configMaps, { labelSelector: 'a=(' }), 'labelSelector "a=("'],
    [
      'create',
      () => loose.create(configMaps, { metadata: { name: 'a' } }, { dryrun: true }),
      'unknown option "dryrun"',
    ],
    [
      'update',
      () => loose.update(configMaps, { metadata: { name: 'a' } }, { dryrun: true }),
      'unknown option "dryrun"',
    ],
    [
      'patch',
      () => loose.patch(configMaps, { name: 'a' }, { type: 'marge', body: {} }),
      'unknown type of a patch: "marge"',
    ],
    ['apply', () => loose.apply(configMaps, { metadata: { name: 'a' } }, { forced: true }), 'unknown option "forced"'],
    ['apply', () => loose.apply(configMaps, { metadata: {} }), 'apply needs the name of an object'],
    ['apply', () => loose.apply(configMaps, {}), 'apply needs an object with metadata'],
    ['apply', () => loose.apply(configMaps, { metadata: { name: '../b' } }), 'name "../b" may not contain'],
    ['delete', () => loose.delete(configMaps, { name: 'a', ns: 'b' }), 'unknown option "ns" of delete'],
    ['deleteCollection', () => loose.deleteCollection(configMaps, { selector: 'a' }), 'unknown option "selector"'],
  ])('%s rejects: %#', async (_, call, message) => {
    await expect(call()).rejects.toThrow(message);
    expect(transport.requests).toEqual([]);
  });

  test('watch and pages throw', () => {
    expect(() => loose.watch(configMaps, { bookmarks: true })).toThrow('unknown option "bookmarks" of watch');
    expect(() => cluster.watch(configMaps, { labelSelector: 'a==b==c' })).toThrow('labelSelector "a==b==c"');
    expect(() => cluster.pages(configMaps, { fieldSelector: 'a' })).toThrow('fieldSelector "a"');
    expect(() => cluster.watch(nodes, { namespace: 'n' })).toThrow(TypeError);
  });
});

describe('the namespace of the cluster', () => {
  test('is that of an object whose namespace is left out, for every request of one object', async () => {
    const answer = '{"kind":"ConfigMap","metadata":{"name":"a"}}';
    const paths: string[] = [];
    const ask = async (call: (cluster: Cluster) => Promise<unknown>): Promise<void> => {
      const transport = new ScriptedTransport({ body: answer });
      await call(createCluster(transport, { server: 'https://test', namespace: 'own' }));
      paths.push(transport.requests[0]?.path ?? '');
    };
    await ask((cluster) => cluster.get(configMaps, { name: 'a' }));
    await ask((cluster) => cluster.patch(configMaps, { name: 'a' }, { type: 'merge', body: {} }));
    await ask((cluster) => cluster.delete(configMaps, { name: 'a' }));
    await ask((cluster) => cluster.update(configMaps, { metadata: { name: 'a' } }));
    await ask((cluster) => cluster.get(configMaps, { name: 'a', namespace: 'other' }));
    expect(paths).toEqual([
      ...Array.from({ length: 4 }, () => '/api/v1/namespaces/own/configmaps/a'),
      '/api/v1/namespaces/other/configmaps/a',
    ]);
  });
});

describe('a cluster with one more layer', () => {
  test('sends through the layer, and is otherwise the cluster that it was made of', async () => {
    const transport = new ScriptedTransport({ body: OBJECT }, { body: OBJECT });
    const clock = new FakeClock();
    const inner = createCluster(transport, { server: 'https://test', namespace: 'own', userAgent: 'mine/1', clock });
    const seen: string[] = [];
    const outer = decorateCluster(
      inner,
      logging(({ path }) => seen.push(path), clock),
    );
    await outer.get(configMaps, { name: 'a' });
    expect(seen).toEqual(['/api/v1/namespaces/own/configmaps/a']);
    expect(transport.requests[0]?.headers['user-agent']).toBe('mine/1');
    expect([outer.server, outer.namespace, outer.clock]).toEqual(['https://test', 'own', clock]);
    await inner.get(configMaps, { name: 'a' });
    expect(seen).toHaveLength(1);
  });
});

describe('a cluster that was closed', () => {
  test('fails every request at once, and says who closed it', async () => {
    const clock = new FakeClock();
    const transport = new ScriptedTransport();
    const cluster = createCluster(assemble(transport, { clock }), { server: 'https://test', clock });
    await cluster.close();
    const message = 'list configmaps at https://test: the client was closed by its own close()';
    await expect(cluster.list(configMaps)).rejects.toMatchObject({ code: 'CLIENT_CLOSED', message });
    const next = cluster.watch(configMaps)[Symbol.asyncIterator]().next();
    await expect(next).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    expect([transport.requests, clock.pending]).toEqual([[], 0]);
  });

  test('ends a request that waits for its next attempt, and leaves no timer', async () => {
    const clock = new FakeClock();
    const transport = new ScriptedTransport({ status: 429, headers: { 'retry-after': '30' }, body: '{}' });
    const cluster = createCluster(assemble(transport, { clock }), { server: 'https://test', clock });
    const listed = expect(cluster.list(configMaps)).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    await clock.advance(0);
    expect(clock.pending).toBe(1);
    await cluster.close();
    await listed;
    expect(clock.pending).toBe(0);
  });
});

describe('what comes back', () => {
  test('a Status is a StatusError, with its Retry-After', async () => {
    const body = '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","code":429}';
    const headers = { 'content-type': 'application/json', 'retry-after': '7' };
    expect(await failed({ status: 429, headers, body })).toMatchObject({
      code: 'STATUS',
      reason: 'TooManyRequests',
      retryAfterMs: 7000,
    });
  });

  test('a page of a proxy is what its status stands for', async () => {
    const headers = { 'content-type': 'text/html', 'retry-after': '3' };
    expect(await failed({ status: 503, headers, body: '<h1>busy</h1>' })).toMatchObject({
      code: 'STATUS',
      reason: 'ServiceUnavailable',
      retryAfterMs: 3000,
    });
  });

  test('a refusal stands though the connection breaks before it is whole', async () => {
    const body = new ScriptedBody('{"kind":"Sta', new TransportError('CLOSED', 'reset'));
    expect(await failed({ status: 404, body })).toMatchObject({ code: 'STATUS', reason: 'NotFound' });
  });

  test('a refusal that does not end is read only so far, and closed', async () => {
    const piece = new Uint8Array(256 * 1024).fill(0x20);
    const body = new ScriptedBody(piece, piece, piece, piece, piece, piece);
    expect(await failed({ status: 500, body })).toMatchObject({ code: 'STATUS' });
    expect(body).toMatchObject({ asked: 4, isClosed: true });
  });

  test.each<[string, ScriptedAnswer]>([
    ['a page of a proxy', { headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['YAML', { headers: { 'content-type': 'application/yaml' }, body: 'kind: ConfigMap' }],
    ['no JSON', { body: '{"kind":' }],
    ['nothing', { body: '' }],
    ['JSON that is no object', { body: '[]' }],
    ['a redirection', { status: 302, headers: { location: '/' }, body: '' }],
  ])('%s instead of an object is PROTOCOL', async (_, answer) => {
    expect(await failed(answer)).toMatchObject({ code: 'PROTOCOL' });
  });

  test.each(['{"kind":"ConfigMap"}', '{"kind":"ConfigMap","metadata":null}'])(
    '%s has empty metadata: who reads its version must not fail',
    async (body) => {
      const cluster = createCluster(new ScriptedTransport({ body }), { server: 'https://test' });
      expect((await cluster.get(configMaps, target)).metadata).toEqual({});
    },
  );

  test('no connection is what the transport says', async () => {
    const cluster = createCluster(new ScriptedTransport(), { server: 'https://test' });
    await expect(cluster.get(configMaps, target)).rejects.toMatchObject({ code: 'CONNECT' });
  });

  test('an abort is the reason of the signal, and nothing is sent', async () => {
    const reason = new Error('enough');
    const transport = new ScriptedTransport({ body: OBJECT });
    const cluster = createCluster(transport, { server: 'https://test' });
    const signal = AbortSignal.abort(reason);
    await expect(cluster.get(configMaps, target, { signal })).rejects.toBe(reason);
    await expect(cluster.list(configMaps, { signal })).rejects.toBe(reason);
    expect(transport.requests).toEqual([]);
  });
});

test('a cluster closes its transport', async () => {
  const transport = new ScriptedTransport();
  {
    await using cluster = createCluster(transport, { server: 'https://test' });
    expect(cluster).toMatchObject({ server: 'https://test', namespace: 'default', transport });
  }
  expect(transport.isClosed).toBe(true);
});

test('the User-Agent of the cluster is also that of discovery, evictions and logs', async () => {
  const status = '{"kind":"Status","apiVersion":"v1","status":"Success"}';
  const transport = new ScriptedTransport(
    { body: '{"kind":"APIGroupDiscoveryList"}' },
    { body: '{"kind":"APIGroupDiscoveryList"}' },
    { body: status },
    { headers: { 'content-type': 'text/plain' }, body: '' },
  );
  const cluster = createCluster(transport, { server: 'https://test', userAgent: 'mine' });
  await discover(cluster);
  await evict(cluster, { name: 'a' });
  await podLogs(cluster, { name: 'a' })[Symbol.asyncIterator]().next();
  expect(transport.requests.map(({ headers }) => headers['user-agent'])).toEqual(['mine', 'mine', 'mine', 'mine']);
});
