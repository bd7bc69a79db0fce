import { defineKind } from '@listwatch/kinds/author';
import { informer } from '@listwatch/runtime';
import { expect, it, vi } from 'vitest';
import { startTestServer } from '../start-test-server.ts';

const LIMIT = 30_000;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The kind with these fields in its spec. */
function kind(properties: object) {
  return defineKind({
    group: 'example.com',
    version: 'v1',
    kind: 'Website',
    schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  });
}

it('an informer follows a kind whose schema changes, and one that is deleted and made again', async () => {
  const text = { type: 'string' };
  const first = kind({ host: text, path: text });
  await using env = await startTestServer({ crds: [first.crd], controllers: [] });
  const { cluster } = env;
  const metadata = { namespace: 'default', name: 'a' };
  const object = { apiVersion: 'example.com/v1', kind: 'Website', metadata, spec: { host: 'h', path: 'p' } };
  await env.apply(object);
  await using sites = informer(cluster, first.resource, { namespace: 'default' });
  await sites.synced;
  const seen = () => [...sites.store.values()].map((one) => JSON.parse(JSON.stringify(one)).spec);
  expect(seen()).toEqual([{ host: 'h', path: 'p' }]);

  // The server ends the watch; the informer lists again and has the object as the new schema shows it.
  await env.installCrds(kind({ host: text, size: { type: 'integer', default: 3 } }).crd);
  await vi.waitFor(() => expect(seen()).toEqual([{ host: 'h', size: 3 }]), LIMIT);

  const removed = await cluster.transport.send({
    method: 'DELETE',
    path: `${definitions}/websites.example.com`,
    headers: {},
  });
  expect(removed.status).toBe(200);
  await vi.waitFor(() => expect(seen()).toEqual([]), LIMIT);
  await env.installCrds(kind({ url: text }).crd);
  await env.apply({ ...object, spec: { url: 'u' } });
  await vi.waitFor(() => expect(seen()).toEqual([{ url: 'u' }]), LIMIT);
}, 120_000);
