import { configMaps } from '@listwatch/kinds';
import { defineKind } from '@listwatch/kinds/author';
import { deleted, waitFor } from '@listwatch/runtime';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';

const website = defineKind({ group: 'example.com', version: 'v1', kind: 'Website', schema: { type: 'object' } });
const place = (name: string) => ({ namespace: 'default', name });

it('dependents of a kind that was unknown a moment ago go with their owner', async () => {
  await using env = await startTestServer({ controllers: ['garbage-collector-controller'] });
  const create = (name: string, kind: string, uid = 'none') =>
    env.cluster.create(configMaps, {
      metadata: { ...place(name), ownerReferences: [{ apiVersion: 'example.com/v1', kind, name: 'shop', uid }] },
    });
  // The collector asks for this kind, and knows from then on which kinds there are.
  await create('stray', 'Website');
  await create('other', 'Nothing');
  await env.installCrds(website.crd);
  const owner = await env.cluster.create(website.resource, website.object({ metadata: place('shop') }));
  await create('owned', 'Website', owner.metadata.uid);
  await env.cluster.delete(website.resource, place('shop'));
  await waitFor(env.cluster, configMaps, place('owned'), deleted, { timeoutMs: 25_000 });
  // Its owner never was: it goes once the kind is known. What names a kind that nobody serves stays.
  await waitFor(env.cluster, configMaps, place('stray'), deleted, { timeoutMs: 25_000 });
  expect(await env.cluster.get(configMaps, place('other'))).toMatchObject({ metadata: { name: 'other' } });
}, 60_000);
