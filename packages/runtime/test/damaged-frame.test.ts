import { type ApiObject, isNotFound, resource, systemClock } from '@listwatch/api';
import { assemble, type Cluster, createCluster, createLoopbackTransport } from '@listwatch/client';
import { eventually } from '@listwatch/conformance/storage';
import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Informer, informer } from '../src/index.ts';
import { DAMAGES, DamagingTransport } from './damaged-frame.ts';
import { seededRandom } from './seeded-random.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const ADMIN = { name: 'admin', groups: ['system:masters'] };

let engine: StorageEngine;
let server: ApiServer;
let way: DamagingTransport;
let cluster: Cluster;
let cache: Informer<ConfigMap>;
let deletes: string[];

beforeEach(async () => {
  engine = createMemoryEngine();
  server = createApiServer({ engine });
  await server.start();
  way = new DamagingTransport(
    createLoopbackTransport({ handle: (request) => server.handle(request, { user: ADMIN }) }),
  );
  cluster = createCluster(assemble(way, { clock: systemClock, maxRetries: 0 }), { server: 'loopback:' });
  await put('a', 'first');
  await put('b', 'first');
  cache = informer(cluster, configMaps, { namespace: 'default', backoff: { initialMs: 5, maxMs: 20 } });
  deletes = [];
  cache.on({ delete: ({ key }) => deletes.push(key) });
  await cache.synced;
});

afterEach(async () => {
  await cache.close();
  await cluster.close();
  await server.close();
  await engine.close();
});

async function put(name: string, value: string): Promise<void> {
  try {
    await cluster.patch(configMaps, { name }, { type: 'merge', body: { data: { value } } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await cluster.create(configMaps, { metadata: { name }, data: { value } });
  }
}

function textOf(objects: Iterable<ConfigMap>): string {
  const all = Array.from(
    objects,
    ({ metadata, data }) => `${metadata.name}@${metadata.resourceVersion} ${data?.['value']}`,
  );
  return all.toSorted().join(', ');
}

async function follows(): Promise<void> {
  const { items } = await cluster.list(configMaps, { namespace: 'default' });
  await eventually('the cache is what the server has', () => textOf(cache.store.values()) === textOf(items));
  await eventually('the informer is live', () => cache.status.phase === 'live');
}

it.each(Object.entries(DAMAGES))(
  '%s: the next frame shows it at the latest, and nothing is lost',
  async (_, damage) => {
    const random = seededRandom(7);
    let left = 1;
    way.damage = (frame) => (left-- > 0 ? damage(frame, random) : undefined);
    await put('a', 'damaged');
    await eventually('a frame is damaged', () => way.damaged === 1);
    await cluster.delete(configMaps, { name: 'b' });
    await put('c', 'second');
    await put('a', 'third');
    await follows();
    expect(deletes).toEqual(['default/b']);
  },
);

it('a frame that is doubled is one event', async () => {
  let left = 1;
  way.damage = (frame) => (left-- > 0 ? frame + frame : undefined);
  const told: string[] = [];
  cache.on({ update: ({ key, initial }) => told.push(`${key} ${initial}`) });
  await put('a', 'doubled');
  await put('b', 'once');
  await follows();
  await eventually('both are told', () => told.length === 2);
  expect(told).toEqual(['default/a false', 'default/b false']);
});

it('whatever is damaged in whatever order, the cache becomes what the server has', async () => {
  const random = seededRandom(20_261_115);
  const sorts = Object.values(DAMAGES);
  let writes = 0;
  for (let round = 0; round < 25; round += 1) {
    const budget = { left: 1 + random.below(4) };
    way.damage = (frame) => {
      budget.left -= 1;
      return budget.left < 0 ? undefined : sorts[random.below(sorts.length)]?.(frame, random);
    };
    while (budget.left >= 0) {
      const name = random.pick('a', 'b', 'c', 'd');
      if (random.chance(0.3)) await cluster.delete(configMaps, { name }).catch(() => {});
      else await put(name, String(random.below(1000)));
      writes += 1;
      await put('other', String(writes));
      // A turn of the loop, in which frames arrive.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    // A frame that was cut shows with the next.
    await put('end', String(round));
    await put('end', `${round} again`);
    await follows();
  }
  expect(way.damaged).toBeGreaterThan(25);
});
