/** How admission policies are tested without a cluster: the test server runs them as an API server does. */

import { configMaps, type Deployment, deployments, namespaces } from '@listwatch/kinds';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let env: TestEnvironment;
beforeAll(async () => {
  env = await startTestServer();
  await env.policies('examples/policies/*.yaml');
});
afterAll(() => env.close());

function deployment(replicas: number, namespace = 'default'): Promise<Deployment> {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return env.cluster.create(deployments, { metadata: { generateName: 'web-', namespace }, spec });
}

it('allows five replicas and refuses six', async () => {
  await deployment(5);
  await expect(deployment(6)).rejects.toThrow('at most 5 replicas are allowed');
});

it('takes the limit of the namespace', async () => {
  const metadata = { name: 'large', annotations: { 'example.com/replica-limit': '20' } };
  await env.cluster.create(namespaces, { metadata });
  await deployment(20, 'large');
  await expect(deployment(21, 'large')).rejects.toThrow('at most 20 replicas are allowed');
});

it('gives a ConfigMap the team of its namespace, and leaves a team alone', async () => {
  const made = await env.cluster.create(configMaps, { metadata: { name: 'a', namespace: 'default' } });
  expect(made.metadata.labels).toEqual({ team: 'default' });
  const labels = { team: 'red' };
  const own = await env.cluster.create(configMaps, { metadata: { name: 'b', namespace: 'default', labels } });
  expect(own.metadata.labels).toEqual(labels);
});
