import { configMaps, namespaces } from '@listwatch/kinds';
import { defineKind } from '@listwatch/kinds/author';
import { deleted, waitFor } from '@listwatch/runtime';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';

const schema = { type: 'object' } as const;
const website = defineKind({ group: 'example.com', version: 'v1', kind: 'Website', schema });
const place = (name: string, namespace = 'shops') => ({ namespace, name });
const LIMIT = { timeoutMs: 25_000 };

it('custom objects go with their namespace and with their owners, in the order of the deletion', async () => {
  await using env = await startTestServer({
    controllers: ['garbage-collector-controller', 'namespace-controller'],
    crds: [website.crd],
  });
  const { cluster } = env;
  for (const name of ['shops', 'kept']) await cluster.create(namespaces, { metadata: { name } });
  const site = (name: string, more: object = {}, namespace = 'shops') =>
    cluster.create(website.resource, website.object({ metadata: { ...place(name, namespace), ...more } }));
  await site('other', {}, 'kept');

  const owner = await cluster.create(configMaps, { metadata: place('owner') });
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '', blockOwnerDeletion: true },
  ];
  await site('owned', { ownerReferences });
  await site('held', { ownerReferences, finalizers: ['example.com/hold'] });
  await cluster.delete(configMaps, place('owner'), { propagationPolicy: 'Foreground' });
  await waitFor(cluster, website.resource, place('owned'), deleted, LIMIT);
  // The owner waits for the dependent that is still held.
  expect(await cluster.get(configMaps, place('owner'))).toMatchObject({
    metadata: { finalizers: ['foregroundDeletion'] },
  });
  await cluster.patch(website.resource, place('held'), { type: 'merge', body: { metadata: { finalizers: null } } });
  await waitFor(cluster, configMaps, place('owner'), deleted, LIMIT);

  await site('last');
  await cluster.delete(namespaces, { name: 'shops' });
  await waitFor(cluster, namespaces, { name: 'shops' }, deleted, LIMIT);
  expect((await cluster.list(website.resource)).items.map(({ metadata }) => metadata.name)).toEqual(['other']);
}, 90_000);
