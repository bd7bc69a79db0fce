/** How an operator is tested: with a real API server in the test process that serves its CRD. */

import { deployments, services } from '@listwatch/kinds';
import { conditionIs, controller, deleted, fieldIs, waitFor } from '@listwatch/runtime';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FINALIZER, websiteOperator } from './operator.ts';
import { website } from './website.ts';

const shop = { namespace: 'default', name: 'shop' };
const records = new Map<string, string>();
let env: TestEnvironment;
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  records.clear();
  env = await startTestServer({ crds: [website.crd] });
  stop = new AbortController();
  const dns = { set: (host: string, to: string) => void records.set(host, to), remove };
  running = controller(env.cluster, websiteOperator(dns)).run({ signal: stop.signal });
});

afterEach(async () => {
  stop.abort();
  await running; // rejects if the operator failed
  await env.close();
});

function remove(host: string): void {
  records.delete(host);
}

const create = (spec: object = {}) =>
  env.cluster.create(
    website.resource,
    website.object({ metadata: shop, spec: { host: 'shop.example.com', image: 'shop:1', ...spec } }),
  );

/** What the Deployment controller and kubelets would write: the test server has none. */
async function startPods(readyReplicas: number): Promise<void> {
  const body = { status: { replicas: readyReplicas, readyReplicas } };
  await env.cluster.patch(deployments, shop, { type: 'merge', body }, { subresource: 'status' });
}

it('gives a Website a Deployment, a Service and a DNS record that it owns', async () => {
  const { metadata, spec } = await create();
  expect(spec.replicas).toBe(1); // the default of the schema
  const starting = await waitFor(env.cluster, website.resource, shop, conditionIs('Ready', 'False'));
  expect(starting?.metadata.finalizers).toEqual([FINALIZER]);
  const owners = [{ kind: 'Website', name: 'shop', uid: metadata.uid, controller: true }];
  expect(await env.cluster.get(deployments, shop)).toMatchObject({
    metadata: { ownerReferences: owners },
    spec: { replicas: 1, template: { spec: { containers: [{ image: 'shop:1' }] } } },
  });
  expect(await env.cluster.get(services, shop)).toMatchObject({
    metadata: { ownerReferences: owners },
    spec: { selector: { website: 'shop' }, ports: [{ port: 80, targetPort: 'http' }] },
  });
  expect(records).toEqual(new Map([['shop.example.com', 'shop.default.svc']]));
});

it('is ready when all replicas are, and not while some start', async () => {
  await create({ replicas: 2 });
  await waitFor(env.cluster, website.resource, shop, conditionIs('Ready', 'False'));
  await startPods(2);
  const ready = await waitFor(env.cluster, website.resource, shop, conditionIs('Ready'));
  expect(ready?.status).toMatchObject({
    replicas: 2,
    conditions: [{ reason: 'AllReplicasReady', message: '2 of 2 replicas are ready', observedGeneration: 1 }],
  });
  const more = { type: 'merge', body: { spec: { replicas: 3 } } } as const;
  await env.cluster.patch(website.resource, shop, more, { subresource: 'scale' }); // as kubectl scale does
  await waitFor(env.cluster, deployments, shop, fieldIs('{.spec.replicas}', 3));
  await waitFor(env.cluster, website.resource, shop, conditionIs('Ready', 'False'));
});

it('puts back what somebody changes in its Deployment, and leaves the rest alone', async () => {
  await create();
  await waitFor(env.cluster, website.resource, shop, conditionIs('Ready', 'False'));
  const body = { metadata: { labels: { team: 'a' } }, spec: { replicas: 7 } };
  await env.cluster.patch(deployments, shop, { type: 'merge', body });
  const repaired = await waitFor(env.cluster, deployments, shop, fieldIs('{.spec.replicas}', 1));
  expect(repaired?.metadata.labels).toEqual({ website: 'shop', team: 'a' });
});

it('removes the DNS record before the Website is gone, and the rest with it', async () => {
  await create();
  await waitFor(env.cluster, website.resource, shop, conditionIs('Ready', 'False'));
  await env.cluster.delete(website.resource, shop);
  await waitFor(env.cluster, website.resource, shop, deleted);
  expect(records.size).toBe(0);
  await waitFor(env.cluster, deployments, shop, deleted); // the garbage collector of the test server
  await waitFor(env.cluster, services, shop, deleted);
});

it.each([
  [{ host: 'Shop!' }, 'spec.host: Invalid value: "Shop!"'],
  [{ image: '' }, 'spec.image: Invalid value'],
  [{ replicas: 101 }, 'spec.replicas: Invalid value: 101: spec.replicas in body should be less than or equal to 100'],
])('the server refuses %j by the schema', async (spec, message) => {
  await expect(create(spec)).rejects.toThrow(message);
});

it('the host cannot be changed', async () => {
  await create();
  const change = { type: 'merge', body: { spec: { host: 'other.example.com' } } } as const;
  await expect(env.cluster.patch(website.resource, shop, change)).rejects.toThrow('the host cannot be changed');
});

it('gets there although requests fail and watches break', async () => {
  env.faults.tooManyRequests(3, 0);
  env.faults.cutWatches({ afterEvents: 1, times: 1 });
  await env.apply(website.object({ metadata: shop, spec: { host: 'shop.example.com', image: 'shop:1' } }));
  await vi.waitFor(() => expect(records.get('shop.example.com')).toBe('shop.default.svc'), { timeout: 25_000 });
});
