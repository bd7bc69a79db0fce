import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServedKinds } from '../contract/verb.ts';
import { configMap, serviceAccount } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { verbContext } from '../write/verb.fixture.ts';
import { type StorageCaches, storageCaches } from './cache-set.ts';
import { identityLookup } from './identity-lookup.ts';

let engine: StorageEngine;
let caches: StorageCaches;
let clock: FakeClock;
/** The keys that were read from the store. */
let reads: string[];

beforeEach(async () => {
  engine = createMemoryEngine();
  clock = new FakeClock();
  caches = storageCaches({ engine, definitions: [configMap, serviceAccount], clock });
  await caches.feed.start();
  reads = [];
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

async function put(uid: string, deletionTimestamp?: string): Promise<void> {
  const { cache } = caches.kind(serviceAccount);
  const metadata = {
    name: 'a',
    namespace: 'x',
    uid,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  };
  const value = layoutOf(serviceAccount).encode({ ...cache.layout.type, metadata });
  const revision = requireCommitted(await engine.commit({ type: 'put', key: `${cache.root}x/a`, value }), uid);
  await caches.feed.reached(revision);
}

const findKind: ServedKinds['find'] = (group, version, plural) =>
  [configMap, serviceAccount].find(
    ({ resource }) => resource.group === group && resource.version === version && resource.plural === plural,
  );

function lookup(): ReturnType<typeof identityLookup> {
  const counting: StorageEngine = Object.create(engine, {
    get: {
      value: (key: string) => {
        reads.push(key);
        return engine.get(key);
      },
    },
  });
  return identityLookup(caches, verbContext(counting, clock, { kinds: { find: findKind } }));
}

describe('the identity of an object', () => {
  it('comes from the cache, once for each version, and the store is not asked', async () => {
    const find = lookup();
    await put('u1');
    const found = await find('serviceaccounts', 'x', { name: 'a', uid: 'u1' });
    expect(found).toEqual({ uid: 'u1', deletionTime: undefined });
    expect(await find('serviceaccounts', 'x', { name: 'a', uid: 'u1' })).toBe(found);
    await put('u1', '2026-01-01T00:00:00Z');
    expect(await find('serviceaccounts', 'x', { name: 'a', uid: 'u1' })).toEqual({
      uid: 'u1',
      deletionTime: Date.parse('2026-01-01T00:00:00Z'),
    });
    expect(reads).toEqual([]);
  });

  it.each([['u2'], ['']])(
    'is that of the store when the cache has another than %j, which may be older',
    async (uid) => {
      const find = lookup();
      await put('u1');
      expect(await find('serviceaccounts', 'x', { name: 'a', uid })).toEqual({ uid: 'u1', deletionTime: undefined });
      expect(reads).toEqual([`${caches.kind(serviceAccount).cache.root}x/a`]);
    },
  );

  it('is asked of the store while the cache is away', async () => {
    const find = lookup();
    await put('u1');
    caches.kind(serviceAccount).cache.lose('away');
    expect(await find('serviceaccounts', 'x', { name: 'a', uid: 'u1' })).toEqual({
      uid: 'u1',
      deletionTime: undefined,
    });
    expect(reads).toHaveLength(1);
  });

  it('is undefined for what nobody has', async () => {
    const find = lookup();
    expect(await find('serviceaccounts', 'x', { name: 'b', uid: 'u1' })).toBeUndefined();
    expect(reads).toHaveLength(1);
  });

  it.each([
    ['a kind that is not served', 'secrets', 'x', 'a'],
    ['no name', 'serviceaccounts', 'x', ''],
    ['a name that no key has', 'serviceaccounts', 'x', 'a/b\0'],
  ] as const)('is undefined for %s, and the store is not asked', async (_, plural, namespace, name) => {
    expect(await lookup()(plural, namespace, { name, uid: 'u1' })).toBeUndefined();
    expect(reads).toEqual([]);
  });
});
