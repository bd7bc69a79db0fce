import { deployments } from '@listwatch/kinds';
import { conditionIs, controller, deleted, exists, waitFor } from '@listwatch/runtime';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';
import { websiteOperator } from '../src/operator.ts';
import { websiteWebhooks } from '../src/webhooks.ts';
import { website } from '../src/website.ts';

const shop = { namespace: 'default', name: 'shop' };

/** The operator on a server of its own, in this process. */
async function start() {
  const env = await startTestServer({ crds: [website.crd], webhooks: websiteWebhooks() });
  const stop = new AbortController();
  const running = controller(env.cluster, websiteOperator).run({ signal: stop.signal });
  return {
    env,
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await running; // rejects if the operator failed
      await env.close();
    },
  };
}

it('is ready when all replicas are', async () => {
  await using operator = await start();
  const { cluster } = operator.env;
  await cluster.create(website.resource, website.object({ metadata: shop, spec: { image: 'shop:1' } }));
  await waitFor(cluster, deployments, shop, exists);
  const body = { status: { replicas: 1, readyReplicas: 1 } }; // as the Deployment controller would
  await cluster.patch(deployments, shop, { type: 'merge', body }, { subresource: 'status' });
  const ready = await waitFor(cluster, website.resource, shop, conditionIs('Ready'));
  expect(ready?.spec.replicas).toBe(1);
});

it('comes to the same state when watches break, requests are refused and history is lost', async () => {
  await using operator = await start();
  const { cluster, faults } = operator.env;
  await cluster.create(website.resource, website.object({ metadata: shop, spec: { image: 'shop:1' } }));
  await waitFor(cluster, deployments, shop, exists);
  faults.cutWatches();
  faults.tooManyRequests(2, 1);
  await faults.compactNow();
  const body = { spec: { image: 'shop:2' } };
  await cluster.patch(website.resource, shop, { type: 'merge', body });
  await waitFor(
    cluster,
    deployments,
    shop,
    (object) => object?.spec?.template.spec?.containers[0]?.image === 'shop:2',
    {
      timeoutMs: 30_000,
    },
  );
}, 60_000);

it('takes its Deployment with it', async () => {
  await using operator = await start();
  const { cluster } = operator.env;
  await cluster.create(website.resource, website.object({ metadata: shop, spec: { image: 'shop:1' } }));
  await waitFor(cluster, deployments, shop, exists);
  await cluster.delete(website.resource, shop);
  await waitFor(cluster, deployments, shop, deleted);
});

it('the server refuses what schema and webhook do not allow', async () => {
  await using operator = await start();
  const { cluster } = operator.env;
  const create = (image: string) =>
    cluster.create(website.resource, website.object({ metadata: shop, spec: { image } }));
  await expect(create('')).rejects.toThrow('spec.image');
  await expect(create('shop:latest')).rejects.toThrow('must name a version');
});
