import { FakeClock } from '@listwatch/api/fake-clock';
import { TestAuthority } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { type ScriptedServer, startHttp1Server } from '@listwatch/conformance/transport';
import { afterEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../cluster.ts';
import { connect } from '../connect.ts';
import { createToken } from '../pods/create-token.ts';
import { metrics } from '../pods/usage-metrics.ts';
import { proxied } from './proxied.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(options: object = {}): Promise<{ server: ScriptedServer; cluster: Cluster }> {
  using authority = new TestAuthority();
  const server = await startHttp1Server({ ca: authority.ca, certificate: authority.server() });
  const cluster = await connect({
    server: server.url,
    caData: authority.ca,
    protocol: 'http/1.1',
    token: 'secret',
    ...options,
  });
  cleanups.push(
    () => server.close(),
    () => cluster.close(),
  );
  return { server, cluster };
}

/** Answers the next request with JSON. */
async function answer(server: ScriptedServer, index: number, status: number, body: string): Promise<void> {
  const exchange = await eventually('it is asked', () => server.exchanges[index]);
  exchange.head(status, { 'content-type': 'application/json' });
  await exchange.write(body);
  exchange.end();
}

describe('cluster.raw', () => {
  it('sends any request with the login of the cluster, and takes every status for an answer', async () => {
    const { server, cluster } = await start();
    const asking = cluster.raw('/apis/x?a=b', { method: 'POST', body: { a: 1 }, headers: { Accept: 'text/plain' } });
    await answer(server, 0, 404, '{"gone":true}');
    const got = await asking;
    expect([got.status, got.ok, await got.json()]).toEqual([404, false, { gone: true }]);
    const [exchange] = server.exchanges;
    expect([exchange?.method, exchange?.path]).toEqual(['POST', '/apis/x?a=b']);
    expect(exchange?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'user-agent': 'listwatch',
      'content-type': 'application/json',
      accept: 'text/plain',
    });
  });

  it.each(['//evil.example/x', 'https://evil.example/x', 'x', '/a b', '/ä', '/a\r\nb: c'])(
    'the path %j is refused: a token must not go to another server',
    async (path) => {
      const { server, cluster } = await start();
      await expect(cluster.raw(path)).rejects.toThrow('the path must begin with one /');
      expect(server.exchanges).toEqual([]);
    },
  );

  it.each(['/a/../b', '/..', '/a/%2E%2e/b?c', '/./a', '/a/.'])(
    'the path %j is refused: a browser would ask for another one',
    async (path) => {
      const { server, cluster } = await start();
      await expect(cluster.raw(path)).rejects.toThrow('the path must have no part . or ..');
      const target = proxied(cluster, { resource: 'services', name: 'web' });
      await expect(target.raw(path)).rejects.toThrow('the path must have no part . or ..');
      expect(server.exchanges).toEqual([]);
    },
  );

  it('dots elsewhere are part of a path', async () => {
    const { server, cluster } = await start();
    const asking = cluster.raw('/apis/a.b/...?path=/../x');
    await answer(server, 0, 200, '{}');
    expect([(await asking).status, server.exchanges[0]?.path]).toEqual([200, '/apis/a.b/...?path=/../x']);
  });

  it('reads as a stream, and no more than maxObjectBytes at once', async () => {
    const { server, cluster } = await start({ maxObjectBytes: 10 });
    const asking = cluster.raw('/metrics');
    await answer(server, 0, 200, 'more than ten bytes');
    let text = '';
    for await (const chunk of (await asking).body) text += new TextDecoder().decode(chunk);
    expect(text).toBe('more than ten bytes');
    const large = cluster.raw('/metrics');
    await answer(server, 1, 200, 'more than ten bytes');
    await expect((await large).text()).rejects.toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringContaining(`GET /metrics at ${server.url}`),
    });
    const wrong = cluster.raw('/metrics');
    await answer(server, 2, 200, '"a"');
    await expect((await wrong).json()).rejects.toMatchObject({ code: 'PROTOCOL' });
    const list = cluster.raw('/users');
    await answer(server, 3, 200, '[1]');
    expect(await (await list).json<number[]>()).toEqual([1]);
  });

  it('an answer may be closed before, during and after its reading', async () => {
    const { server, cluster } = await start();
    const asking = cluster.raw('/a');
    await answer(server, 0, 200, 'all of it');
    const whole = await asking;
    expect(await whole.text()).toBe('all of it');
    await whole.close();
    await whole[Symbol.asyncDispose]();
    await expect(whole.text()).rejects.toThrow('read once');

    for (const index of [1, 2]) {
      const started = cluster.raw('/b');
      const exchange = await eventually('it is asked', () => server.exchanges[index]);
      exchange.head(200, {});
      await exchange.write('a part');
      const endless = await started;
      const reader = index === 1 ? endless.body[Symbol.asyncIterator]() : undefined;
      await reader?.next();
      await endless.close();
      if (reader !== undefined) expect(await reader.next()).toMatchObject({ done: true });
      await eventually('the connection is given back', () => exchange.closed);
    }
  });

  it('is sent again where the server asks for it, as every other request', async () => {
    const clock = new FakeClock();
    const { server, cluster } = await start({ clock });
    const asking = cluster.raw('/readyz');
    const first = await eventually('it is asked', () => server.exchanges[0]);
    first.head(429, { 'retry-after': '1' });
    first.end();
    await eventually('it is asked again', async () => {
      await clock.advance(1000);
      return server.exchanges[1];
    });
    await answer(server, 1, 200, '{}');
    expect((await asking).status).toBe(200);
  });

  it('ends with the signal and with the cluster', async () => {
    const { cluster } = await start();
    const reason = new Error('enough');
    await expect(cluster.raw('/x', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await cluster.close();
    await expect(cluster.raw('/x')).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
  });
});

describe('proxied', () => {
  it.each([
    [{ resource: 'services', name: 'web' }, '/api/v1/namespaces/default/services/web/proxy/x?y'],
    [{ resource: 'services', name: 'web', port: 'http' }, '/api/v1/namespaces/default/services/web:http/proxy/x?y'],
    [
      { resource: 'pods', name: 'p', port: 80, scheme: 'https', namespace: 'n' },
      '/api/v1/namespaces/n/pods/https:p:80/proxy/x?y',
    ],
    [{ resource: 'pods', name: 'p', scheme: 'https' }, '/api/v1/namespaces/default/pods/https:p:/proxy/x?y'],
    [{ resource: 'nodes', name: 'a/b' }, '/api/v1/nodes/a%2Fb/proxy/x?y'],
  ] as const)('%j is reached at %s', async (target, path) => {
    const { server, cluster } = await start();
    const asking = proxied(cluster, target).raw('x?y');
    await answer(server, 0, 200, '{}');
    expect([(await asking).status, server.exchanges[0]?.path]).toEqual([200, path]);
  });
});

describe('createToken', () => {
  it('asks for a token of a service account', async () => {
    const { server, cluster } = await start();
    const asking = createToken(cluster, { name: 'robot' }, { audiences: ['vault'], expirationSeconds: 600 });
    await answer(server, 0, 201, '{"status":{"token":"abc","expirationTimestamp":"2026-01-01T00:00:00Z"}}');
    expect(await asking).toEqual({ token: 'abc', expires: new Date('2026-01-01T00:00:00Z') });
    const [exchange] = server.exchanges;
    expect(exchange?.path).toBe('/api/v1/namespaces/default/serviceaccounts/robot/token');
    const empty = createToken(cluster, { name: 'robot' });
    await answer(server, 1, 201, '{}');
    await expect(empty).rejects.toMatchObject({ code: 'PROTOCOL' });
  });
});

describe('metrics', () => {
  it('adds up the containers of a Pod', async () => {
    const { server, cluster } = await start();
    const asking = metrics(cluster).pods({ namespace: 'default' });
    const containers = [
      { name: 'a', usage: { cpu: '250m', memory: '64Mi' } },
      { name: 'b', usage: { cpu: '1', memory: '1Gi' } },
      { name: 'c' },
    ];
    const items = [{ metadata: { name: 'p', namespace: 'default' }, timestamp: 't', containers }];
    await answer(
      server,
      0,
      200,
      JSON.stringify({ kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items }),
    );
    const [pod] = await asking;
    expect([pod?.name, pod?.timestamp, String(pod?.cpu), String(pod?.memory), pod?.containers.length]).toEqual([
      'p',
      't',
      '1250m',
      '1088Mi',
      3,
    ]);
    expect(server.exchanges[0]?.path).toBe('/apis/metrics.k8s.io/v1beta1/namespaces/default/pods');
    const nodes = metrics(cluster).nodes();
    const node = { metadata: { name: 'n' }, usage: { cpu: '2', memory: '3Gi' } };
    await answer(
      server,
      1,
      200,
      JSON.stringify({ kind: 'NodeMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items: [node] }),
    );
    expect((await nodes).map(({ name, cpu }) => `${name} ${String(cpu)}`)).toEqual(['n 2']);
  });
});
