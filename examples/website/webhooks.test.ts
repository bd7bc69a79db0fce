/** How webhooks are tested: the test server calls them as an API server does, without sockets and certificates. */

import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OWNERS, websiteWebhooks } from './webhooks.ts';
import { type Website, website } from './website.ts';

const EVERYBODY = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: websites }
rules: [{ apiGroups: [example.com], resources: [websites], verbs: ['*'] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: websites }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: websites }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: 'system:authenticated' }]
`;

let env: TestEnvironment;
const warnings: string[] = [];

beforeAll(async () => {
  const client = { onWarning: ({ text }: { readonly text: string }) => void warnings.push(text) };
  env = await startTestServer({ crds: [website.crd], webhooks: websiteWebhooks(), controllers: [], client });
  await env.apply(EVERYBODY);
});
afterAll(() => env.close());

function create(name: string, spec: object = {}, groups: readonly string[] = []): Promise<Website> {
  const own = { host: `${name}.example.org`, image: 'shop:1', ...spec };
  const object = website.object({ metadata: { namespace: 'default', name }, spec: own });
  return env.as('jane', groups).create(website.resource, object);
}

it('gives an image without a tag the stable one', async () => {
  expect((await create('a', { image: 'shop' })).spec.image).toBe('shop:stable');
  expect((await create('b', { image: 'shop:2' })).spec.image).toBe('shop:2');
});

it('lets only its owners take a host of ours, and everybody change what they have', async () => {
  const ours = { host: 'shop.example.com' };
  await expect(create('shop', ours)).rejects.toThrow(`only members of ${OWNERS} may take shop.example.com`);
  await create('shop', ours, [OWNERS]);
  const change = { type: 'merge', body: { spec: { replicas: 2 } } } as const;
  await env.as('jane').patch(website.resource, { namespace: 'default', name: 'shop' }, change);
});

it('warns of a website without replicas', async () => {
  await create('quiet', { replicas: 0 });
  expect(warnings).toEqual(['the website has no replica: nobody can see it']);
});
