import { type ApiObject, resource } from '@listwatch/api';
import { startTestServer } from '@listwatch/testing';
import { expect, it, vi } from 'vitest';
import { controller, silentLogger } from '../src/index.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const secrets = resource({ version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true });
const nodes = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });

const usedSecret = ({ metadata }: ApiObject): string[] => [metadata.annotations?.['secret'] ?? ''];

function annotated(name: string, secret: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations: { secret } } };
}

it('a mapper finds the objects to reconcile in the caches of the controller, by index', async () => {
  await using env = await startTestServer({ controllers: [] });
  await env.apply([annotated('a', 's'), annotated('b', 's'), annotated('c', 't')]);
  const stop = new AbortController();
  let seen: string[] = [];
  const errors: unknown[] = [];
  const run = controller(env.cluster, {
    for: configMaps,
    selection: { indexes: { secret: usedSecret } },
    watches: [
      { resource: secrets, map: ({ metadata: { name } }, { store }) => store(configMaps).keysByIndex('secret', name) },
      { resource: nodes, map: (_, { store }) => store(nodes).keys() },
      { resource: nodes, map: (_, { store }) => store(resource({ ...configMaps, plural: 'pods' })).keys() },
    ],
    logger: {
      ...silentLogger,
      error: ({ error }) => void errors.push(error),
    },
    reconcile: ({ key }) => void seen.push(key.toString()),
  }).run({ signal: stop.signal });
  await vi.waitFor(() => expect(seen).toHaveLength(3), 20_000);
  seen = [];
  await env.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
  await vi.waitFor(() => expect(seen.toSorted()).toEqual(['default/a', 'default/b']), 20_000);
  await env.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  await vi.waitFor(
    () => expect(errors).toEqual([new RangeError('the controller configmap does not follow pods')]),
    20_000,
  );
  stop.abort();
  await run;
});
