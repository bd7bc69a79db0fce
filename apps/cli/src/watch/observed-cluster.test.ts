import { type ApiObject, resource } from '@listwatch/api';
import { startTestServer } from '@listwatch/testing';
import { describe, expect, it } from 'vitest';
import { observeCluster } from './observed-cluster.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

function configMap(name: string): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
}

describe('an observed cluster', () => {
  it('knows how many pages a list has, from the first page on', async () => {
    await using env = await startTestServer();
    await env.apply(['a', 'b', 'c', 'd', 'e'].map(configMap));
    const observed = observeCluster(env.cluster);
    const counts: (number | undefined)[] = [observed.pageCount()];
    for await (const page of observed.cluster.pages(configMaps, { namespace: 'default', limit: 2 })) {
      await page.items();
      counts.push(observed.pageCount());
    }
    expect(counts).toEqual([undefined, 3, 3, 3]);
  });

  it('does not guess where the server does not say: with a selector, only the last page is known for what it is', async () => {
    await using env = await startTestServer();
    await env.apply(['a', 'b', 'c'].map(configMap));
    const observed = observeCluster(env.cluster);
    const counts: (number | undefined)[] = [];
    const query = { namespace: 'default', limit: 2, fieldSelector: 'metadata.name!=x' };
    for await (const page of observed.cluster.pages(configMaps, query)) {
      await page.items();
      counts.push(observed.pageCount());
    }
    expect(counts).toEqual([undefined, 2]);
  });

  it('knows which objects of a watch are new, and closes the watch with its reader', async () => {
    await using env = await startTestServer();
    const { metadata } = await env.cluster.list(configMaps);
    const [made] = await env.apply(configMap('a'));
    await env.cluster.patch(
      configMaps,
      { namespace: 'default', name: made?.metadata.name ?? '' },
      { type: 'merge', body: { data: { a: '1' } } },
    );
    const observed = observeCluster(env.cluster);
    const seen: boolean[] = [];
    for await (const event of observed.cluster.watch(configMaps, { resourceVersion: metadata.resourceVersion })) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
      seen.push(observed.isNew(event.object));
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([true, false]);
    expect(env.faults.watches).toBe(0);
  });
});
