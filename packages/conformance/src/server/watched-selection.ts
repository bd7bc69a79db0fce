/** What a watcher under load is about: a path, a query, and our own idea of what it selects. */

import type { QueryValues } from './api-client.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { LoadedObject } from './stored-change.ts';

/** The world of the load. */
export interface LoadWorld {
  readonly namespaces: readonly string[];
  readonly names: readonly string[];
}

export const APPS: readonly string[] = ['web', 'db', 'cache'];
export const TIERS = 10;

/** A part of the ConfigMaps. */
export interface WatchedSelection {
  readonly path: string;
  readonly query: QueryValues;
  readonly selects: (object: LoadedObject) => boolean;
}

interface Selector {
  readonly query: QueryValues;
  readonly selects: (object: LoadedObject) => boolean;
}

/** A random one: any scope with any selector. */
export function randomSelection(random: SeededRandom, world: LoadWorld): WatchedSelection {
  const { query, selects } = randomSelector(random, world);
  if (random.chance(0.3)) return { path: '/api/v1/configmaps', query, selects };
  const namespace = random.pick(world.namespaces);
  return {
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    query,
    selects: (object) => object.namespace === namespace && selects(object),
  };
}

function randomSelector(random: SeededRandom, world: LoadWorld): Selector {
  const app = random.pick(APPS);
  const tier = String(random.below(TIERS));
  const name = random.pick(world.names);
  return random.pick<Selector>([
    { query: {}, selects: () => true },
    { query: { labelSelector: `app=${app}` }, selects: ({ labels }) => labels['app'] === app },
    { query: { labelSelector: `app!=${app}` }, selects: ({ labels }) => labels['app'] !== app },
    { query: { labelSelector: 'app' }, selects: ({ labels }) => labels['app'] !== undefined },
    { query: { labelSelector: '!app' }, selects: ({ labels }) => labels['app'] === undefined },
    {
      query: { labelSelector: `app in (${app},web),tier>${tier}` },
      selects: ({ labels }) => [app, 'web'].includes(labels['app'] ?? '') && Number(labels['tier']) > Number(tier),
    },
    { query: { fieldSelector: `metadata.name=${name}` }, selects: (object) => object.name === name },
    {
      query: { fieldSelector: `metadata.name!=${name}`, labelSelector: `tier=${tier}` },
      selects: (object) => object.name !== name && object.labels['tier'] === tier,
    },
  ]);
}
