import { isNotFound } from '@listwatch/api';
import { startLoopbackControllers } from '@listwatch/controllers';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configMaps, namespaces, serviceAccounts } from '../src/core-resources.ts';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

const CA = 'not really PEM\n';

async function start(caBundle: string | undefined = CA): Promise<TestEnvironment> {
  const env = await startTestServer({ controllers: [] });
  ended.push(() => env.close());
  await run(env, caBundle);
  return env;
}

async function run(env: TestEnvironment, caBundle: string | undefined): Promise<() => Promise<void>> {
  const controllers = startLoopbackControllers(env.server, { caBundle, namespaceGraceMs: 0 });
  const close = (): Promise<void> => controllers.close();
  ended.push(close);
  await controllers.ready;
  return close;
}

const ACCOUNT = (namespace: string) => ({ namespace, name: 'default' });
const BUNDLE = (namespace: string) => ({ namespace, name: 'kube-root-ca.crt' });

const account = ({ cluster }: TestEnvironment, namespace: string) =>
  vi.waitFor(() => cluster.get(serviceAccounts, ACCOUNT(namespace)), 20_000);
const bundle = ({ cluster }: TestEnvironment, namespace: string) =>
  vi.waitFor(async () => {
    const found = await cluster.get(configMaps, BUNDLE(namespace));
    expect(found.data).toEqual({ 'ca.crt': CA });
    expect(found.metadata.annotations?.['kubernetes.io/description']).toMatch(/^Contains a CA bundle/u);
    return found;
  }, 20_000);

describe('every active namespace', () => {
  it('has a ServiceAccount and the authority of the server, those from before the start as well', async () => {
    const env = await start();
    for (const namespace of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
      await account(env, namespace);
      await bundle(env, namespace);
    }
    await env.cluster.create(namespaces, { metadata: { name: 'new' } });
    await account(env, 'new');
    expect((await bundle(env, 'new')).metadata.annotations).toEqual({
      'kubernetes.io/description':
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
        'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
    });
  });

  it('gets both back when they are deleted', async () => {
    const env = await start();
    const first = await account(env, 'default');
    await bundle(env, 'default');
    await env.cluster.delete(serviceAccounts, ACCOUNT('default'));
    await env.cluster.delete(configMaps, BUNDLE('default'));
    await vi.waitFor(async () => {
      expect((await account(env, 'default')).metadata.uid).not.toBe(first.metadata.uid);
    }, 20_000);
    await bundle(env, 'default');
  });

  it('gets its bundle back when somebody changes it; labels of others stay', async () => {
    const env = await start();
    await bundle(env, 'default');
    const body = { metadata: { labels: { mine: 'yes' }, annotations: null }, data: { 'ca.crt': 'x', more: 'y' } };
    await env.cluster.patch(configMaps, BUNDLE('default'), { type: 'merge', body });
    expect((await bundle(env, 'default')).metadata.labels).toEqual({ mine: 'yes' });
  });

  it('gets the new authority when the server has one', async () => {
    const env = await startTestServer({ controllers: [] });
    ended.push(() => env.close());
    const stop = await run(env, 'old');
    await vi.waitFor(async () => {
      expect((await env.cluster.get(configMaps, BUNDLE('default'))).data).toEqual({ 'ca.crt': 'old' });
    }, 20_000);
    await stop();
    await run(env, CA);
    await bundle(env, 'default');
  });

  it('has no bundle when the controllers are given none', async () => {
    const env = await startTestServer({ controllers: ['*'] });
    ended.push(() => env.close());
    await account(env, 'default');
    await expect(env.cluster.get(configMaps, BUNDLE('default'))).rejects.toSatisfy(isNotFound);
  });

  it('gets nothing while it is terminating', async () => {
    const env = await start();
    await env.cluster.create(namespaces, { metadata: { name: 'a' } });
    // Else the controllers may make them, or delete them, only after the test has looked.
    await account(env, 'a');
    await bundle(env, 'a');
    await env.cluster.create(configMaps, { metadata: { namespace: 'a', name: 'x', finalizers: ['example.com/f'] } });
    await env.cluster.delete(namespaces, { name: 'a' });
    await vi.waitFor(async () => {
      const left = await env.cluster.list(configMaps, { namespace: 'a' });
      const accounts = await env.cluster.list(serviceAccounts, { namespace: 'a' });
      expect([...left.items, ...accounts.items].map(({ metadata }) => metadata.name)).toEqual(['x']);
    }, 20_000);
  });
});
