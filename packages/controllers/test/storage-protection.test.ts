import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claims, namespaces, pods, volumes } from '../src/core-resources.ts';

let env: TestEnvironment | undefined;
afterEach(() => env?.close());

async function start(): Promise<TestEnvironment> {
  env = await startTestServer({ controllers: ['pvc-protection', 'pv-protection', 'namespace'] });
  return env;
}

const capacity = { storage: '1Gi' };
const accessModes = ['ReadWriteOnce'];

async function createClaim({ cluster }: TestEnvironment, name: string, namespace = 'default'): Promise<void> {
  const spec = { accessModes, resources: { requests: capacity } };
  const body = { metadata: { namespace, name }, spec };
  const { metadata } = await cluster.create(claims, body);
  expect(metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
}

async function createPod({ cluster }: TestEnvironment, spec: object): Promise<void> {
  const all: object = { containers: [{ name: 'c', image: 'i' }], ...spec };
  const body = { metadata: { namespace: 'default', name: 'p' }, spec: all };
  await cluster.create(pods, body);
}

const mounts = (claimName: string) => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });

async function claimsLeft({ cluster }: TestEnvironment): Promise<readonly string[]> {
  return (await cluster.list(claims)).items.map(({ metadata }) => metadata.name);
}

describe('a deleted claim', () => {
  it('goes when no pod uses it, with its namespace too', async () => {
    const started = await start();
    await started.cluster.create(namespaces, { metadata: { name: 'a' } });
    await createClaim(started, 'x', 'a');
    await createClaim(started, 'y');
    await started.cluster.delete(claims, { namespace: 'default', name: 'y' });
    await started.cluster.delete(namespaces, { name: 'a' });
    await vi.waitFor(async () => expect(await claimsLeft(started)).toEqual([]), 20_000);
  });

  it('stays while a pod with a node uses it', async () => {
    const started = await start();
    await createClaim(started, 'used');
    await createClaim(started, 'free');
    await createPod(started, { nodeName: 'n', terminationGracePeriodSeconds: 0, ...mounts('used') });
    await started.cluster.delete(claims, { namespace: 'default', name: 'used' });
    await started.cluster.delete(claims, { namespace: 'default', name: 'free' });
    await vi.waitFor(async () => expect(await claimsLeft(started)).toEqual(['used']), 20_000);
    await started.cluster.delete(pods, { namespace: 'default', name: 'p' }, { gracePeriodSeconds: 0 });
    await vi.waitFor(async () => expect(await claimsLeft(started)).toEqual([]), 20_000);
  });

  it('goes although a pod without a node names it', async () => {
    const started = await start();
    await createClaim(started, 'x');
    await createPod(started, mounts('x'));
    await started.cluster.delete(claims, { namespace: 'default', name: 'x' });
    await vi.waitFor(async () => expect(await claimsLeft(started)).toEqual([]), 20_000);
  });
});

describe('a deleted volume', () => {
  it('goes unless it is bound', async () => {
    const { cluster } = await start();
    const spec = { capacity, accessModes, hostPath: { path: '/x' } };
    for (const name of ['bound', 'free']) {
      const body = { metadata: { name }, spec };
      const made = await cluster.create(volumes, body);
      expect(made.metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
      if (name === 'bound')
        await cluster.update(volumes, { ...made, status: { phase: 'Bound' } }, { subresource: 'status' });
      await cluster.delete(volumes, { name });
    }
    const left = async () => (await cluster.list(volumes)).items.map(({ metadata }) => metadata.name);
    await vi.waitFor(async () => expect(await left()).toEqual(['bound']), 20_000);
    const bound = await cluster.get(volumes, { name: 'bound' });
    await cluster.update(volumes, { ...bound, status: { phase: 'Released' } }, { subresource: 'status' });
    await vi.waitFor(async () => expect(await left()).toEqual([]), 20_000);
  });
});
