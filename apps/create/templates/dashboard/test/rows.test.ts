import { deployments } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
import { startTestServer } from '@listwatch/testing';
import { expect, it, vi } from 'vitest';
import { rowsOf } from '../src/rows.ts';

function deployment(name: string): string {
  return `
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: ${name}, namespace: default }
    spec:
      replicas: 2
      selector: { matchLabels: { app: ${name} } }
      template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: main, image: main:1 }] } }`;
}

it('rows follow the cluster, also after a watch was cut', async () => {
  await using env = await startTestServer();
  await using cache = informer(env.cluster, deployments);
  await cache.synced;
  await env.apply(deployment('b'));
  env.faults.cutWatches();
  await env.apply(deployment('a'));
  const cells = () => rowsOf(cache.store.list()).map((row) => row.cells.join(' '));
  await vi.waitFor(() => expect(cells()).toEqual(['default a 0/2', 'default b 0/2']), { timeout: 20_000 });
}, 60_000);
