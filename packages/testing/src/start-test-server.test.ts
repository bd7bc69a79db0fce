import { request } from 'node:https';
import { type ApiObject, findStatusError, isGone, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import type { Cluster, TransportRequest } from '@listwatch/client';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { load } from 'js-yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServerOptions } from './start-test-server.ts';
import type { TestEnvironment } from './test-environment.ts';

/** What a kubeconfig says, untyped. */
const parseYaml = (text: string) => JSON.parse(JSON.stringify(load(text)));

const environments: TestEnvironment[] = [];
afterEach(async () => {
  for (const env of environments.splice(0)) await env.close();
});

async function start(options: TestServerOptions = {}): Promise<TestEnvironment> {
  const env = await startTestServer(options);
  environments.push(env);
  return env;
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const configMaps = resource<ApiObject & { readonly data?: Readonly<Record<string, string>> }>({
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
});
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

async function ask({ transport }: Cluster, path: string, more: Partial<TransportRequest> = {}) {
  const { status, body } = await transport.send({ method: 'GET', path, headers: {}, ...more });
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return { status, text };
}

const sockets = () => process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Pipe/u.test(name)).length;

/** Counts what is asked of an engine. */
function counted(engine: StorageEngine): { readonly engine: StorageEngine; readonly calls: Record<string, number> } {
  const calls: Record<string, number> = {};
  const counting = new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        calls[String(name)] = (calls[String(name)] ?? 0) + 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { engine: counting, calls };
}

describe('a test server', () => {
  it('serves what is applied to the client in the process', async () => {
    const env = await start();
    const [applied] = await env.apply(configMap('a'));
    const { status, text } = await ask(env.cluster, `${CONFIG_MAPS}/a`);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(applied);
  });

  it('costs a write for each default object, a read for each kind and one watch to start, and no socket', async () => {
    const { engine, calls } = counted(createMemoryEngine());
    const before = sockets();
    await start({ engine });
    // Four namespaces, two priority classes, 19 objects of flow control, the Service of the server with its range and its address, 21
    // APIServices, 143 roles and bindings.
    expect(calls['commit']).toBe(49 + 143);
    expect(calls['watch']).toBe(1);
    // One page of each of some sixty kinds, and little else.
    expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(49 + 143 + 68);
    expect(sockets()).toBe(before);
    await engine.close();
  });

  it('a long list arrives whole, however slowly it is read', async () => {
    const env = await start();
    const names = Array.from({ length: 60 }, (_, index) => `big-${String(index).padStart(2, '0')}`);
    await env.apply(names.map((name) => ({ ...configMap(name), data: { pad: name.repeat(2000) } })));
    const pads: string[] = [];
    for await (const page of env.cluster.pages(configMaps)) {
      for await (const { data } of page) {
        pads.push(data?.['pad'] ?? '');
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    expect(pads).toEqual(names.map((name) => name.repeat(2000)));
  });

  it('has no address and no kubeconfig unless it listens, and says what to do', async () => {
    const env = await start();
    expect(() => env.url).toThrow(/startTestServer\(\{ listen: true \}\)/u);
    expect(() => env.kubeconfig).toThrow(TypeError);
  });

  it('listens when asked, and the kubeconfig lets a client in over TLS', async () => {
    const env = await start({ listen: true });
    await env.apply(configMap('a'));
    const { clusters, users } = parseYaml(env.kubeconfig);
    const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
    expect(server).toBe(env.url);
    const ca = Buffer.from(String(authority), 'base64').toString();
    const statusWith = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${server}${CONFIG_MAPS}/a`, { ca, headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await statusWith({ authorization: `Bearer ${users[0].user.token}` })).toBe(200);
    expect(await statusWith({})).toBe(403);
    expect(await statusWith({ authorization: 'Bearer other' })).toBe(401);
  });

  it('a client in the process can be anybody', async () => {
    const env = await start();
    expect((await ask(env.cluster, CONFIG_MAPS)).status).toBe(200);
    expect((await ask(env.connectAs({ name: 'paul', groups: [] }), CONFIG_MAPS)).status).toBe(403);
  });

  it('passes the faults with its clients, and not with apply', async () => {
    const env = await start();
    using _ = env.faults.tooManyRequests(100);
    await env.apply(configMap('a'));
    expect((await ask(env.cluster, `${CONFIG_MAPS}/a`)).status).toBe(429);
  });

  it('compactNow forgets the past in truth: versions before it get 410, those after it work, and watches go on', async () => {
    const env = await start();
    const [first] = await env.apply(configMap('a'));
    const old = first?.metadata.resourceVersion;
    const running = await env.cluster.transport.send({
      method: 'GET',
      path: `${CONFIG_MAPS}?watch=true&resourceVersion=${old}`,
      headers: {},
    });
    const frames = running.body[Symbol.asyncIterator]();
    await env.apply(configMap('b'));
    expect(Buffer.from((await frames.next()).value ?? '').toString()).toContain('"name":"b"');
    const { metadata } = await env.cluster.list(configMaps, { limit: 1 });
    await env.apply(configMap('bb'));
    expect(Buffer.from((await frames.next()).value ?? '').toString()).toContain('"name":"bb"');
    const now = await env.faults.compactNow();
    await expect(env.cluster.list(configMaps, { limit: 1, continue: metadata.continue })).rejects.toSatisfy(isGone);
    expect(await env.faults.compactNow()).toBe(now);
    const watch = (rv: string | undefined) =>
      ask(env.cluster, `${CONFIG_MAPS}?watch=true&resourceVersion=${rv}&timeoutSeconds=1`);
    expect((await watch(old)).text).toContain('"code":410');
    expect((await watch(now)).text).toBe('');
    const exact = `${CONFIG_MAPS}?resourceVersionMatch=Exact&resourceVersion=`;
    expect([(await ask(env.cluster, exact + old)).status, (await ask(env.cluster, exact + now)).status]).toEqual([
      410, 200,
    ]);
    const next = frames.next();
    await env.apply(configMap('c'));
    expect(Buffer.from((await next).value ?? '').toString()).toContain('"name":"c"');
  });

  it('runs on the clock it is given', async () => {
    const clock = new FakeClock({ now: Date.UTC(2030, 0, 1) });
    const env = await startTestServer({ clock });
    environments.push(env);
    await env.clock.advance(1000);
    const [made] = await env.apply(configMap('a'));
    expect(made?.metadata.creationTimestamp).toBe('2030-01-01T00:00:01Z');
    const ended = ask(
      env.cluster,
      `${CONFIG_MAPS}?watch=true&timeoutSeconds=600&resourceVersion=${made?.metadata.resourceVersion}`,
    );
    await clock.advance(601_000);
    expect(await ended).toEqual({ status: 200, text: '' });
  });

  it('ends with everything in it: open watches, the engine it made, and no timer of its clock is left', async () => {
    const clock = new FakeClock();
    const env = await startTestServer({ clock });
    const watching = ask(env.cluster, `${CONFIG_MAPS}?watch=true`);
    await clock.advance(0);
    env.faults.stall();
    const closed = env.close();
    await Promise.all([closed, env.close()]);
    await watching.catch(() => {});
    expect([clock.pending, env.faults.watches]).toEqual([0, 0]);
    await expect(env.engine.revision()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('leaves an engine open that was given', async () => {
    await using engine = createMemoryEngine();
    const env = await startTestServer({ engine });
    await env.close();
    expect(await engine.revision()).toBeGreaterThan(1n);
  });

  it('closes what it opened when it cannot start', async () => {
    const other = await start({ listen: true });
    const port = Number(new URL(other.url).port);
    await expect(startTestServer({ listen: true, server: { port } })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('the controllers of a test server', () => {
  const serviceAccounts = resource({
    version: 'v1',
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
  });
  const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });

  it('empty deleted namespaces and delete dependents by default, and add no ConfigMap', async () => {
    const { cluster } = await start({ listen: true });
    await cluster.create(namespaces, { metadata: { name: 'a' } });
    await expect.poll(() => statusOf(cluster.get(serviceAccounts, { namespace: 'a', name: 'default' }))).toBe(200);
    const owner = await cluster.create(configMaps, { metadata: { namespace: 'default', name: 'owner' } });
    const { uid = '' } = owner.metadata;
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
    const metadata = { namespace: 'default', name: 'child', ownerReferences: [reference] };
    await cluster.create(configMaps, { metadata });
    await cluster.delete(configMaps, { namespace: 'default', name: 'owner' });
    await cluster.delete(namespaces, { name: 'a' });
    await expect.poll(() => statusOf(cluster.get(namespaces, { name: 'a' }))).toBe(404);
    await expect.poll(() => statusOf(cluster.get(configMaps, { namespace: 'default', name: 'child' }))).toBe(404);
    expect((await cluster.list(configMaps)).items).toEqual([]);
  });

  it('do not use the time of a test, unless they are asked for', async () => {
    const clock = new FakeClock();
    const { cluster } = await start({ clock });
    await clock.advance(60_000);
    expect((await cluster.list(serviceAccounts)).items).toEqual([]);
    const other = await start({ clock, controllers: ['serviceaccount-controller'] });
    await expect.poll(async () => (await other.cluster.list(serviceAccounts)).items.length).toBe(4);
  });

  it('are refused by a name that does not exist', async () => {
    await expect(start({ controllers: ['nope'] })).rejects.toThrow('"nope" is not in the list of known controllers');
  });
});

async function statusOf(asked: Promise<unknown>): Promise<number> {
  try {
    await asked;
    return 200;
  } catch (error) {
    return findStatusError(error)?.httpCode ?? 0;
  }
}
