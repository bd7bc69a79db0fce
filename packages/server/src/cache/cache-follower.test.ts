import { FakeClock } from '@listwatch/api/fake-clock';
import type { Entry } from '@listwatch/storage';
import { expect, it } from 'vitest';
import { configMap, namespace } from '../kinds/built-in-definitions.fixture.ts';
import { CacheFollower } from './cache-follower.ts';
import { ResourceCache } from './resource-cache.ts';

function followed(definition: typeof configMap) {
  const cache = new ResourceCache({ definition, clock: new FakeClock() });
  const told: string[] = [];
  const follower = new CacheFollower(cache, {
    set: ({ metadata }) => told.push(`set ${metadata.namespace ?? ''}/${metadata.name}`),
    remove: (space, name) => told.push(`remove ${space}/${name}`),
  });
  const entry = (key: string, modRevision: bigint): Entry => {
    const [name = '', space] = key.split('/').toReversed();
    return {
      key: `${cache.root}${key}`,
      value: Buffer.from(JSON.stringify({ metadata: { name, namespace: space } })),
      modRevision,
    };
  };
  return { cache, follower, entry, told: () => told.splice(0) };
}

it.each([
  ['in namespaces', configMap, 'default/one', 'default/two', 'default'],
  ['without them', namespace, 'one', 'two', ''],
])(
  'a reader of objects %s is told of each, of each change, and of what is gone after a loss',
  (_, kind, a, b, space) => {
    const { cache, follower, entry, told } = followed(kind);
    follower.catchUp();
    expect([follower.isReady, told()]).toEqual([false, []]);
    const first = cache.load([entry(a, 1n), entry(b, 1n)], 1n);
    follower.catchUp();
    follower.catchUp();
    expect([follower.isReady, told()]).toEqual([true, [`set ${space}/one`, `set ${space}/two`]]);
    const { key, value } = entry(a, 2n);
    first.apply({ type: 'put', key, value, revision: 2n, previous: entry(a, 1n) });
    first.apply({ type: 'delete', key: entry(b, 1n).key, revision: 3n, previous: entry(b, 1n) });
    expect(told()).toEqual([`set ${space}/one`, `remove ${space}/two`]);
    cache.lose('away');
    follower.catchUp();
    expect(told()).toEqual([]);
    // What is as it was is not told again.
    cache.load([entry(a, 2n), entry(b, 4n)], 4n);
    follower.catchUp();
    expect(told()).toEqual([`set ${space}/two`]);
    cache.lose('away');
    cache.load([], 5n);
    follower.catchUp();
    expect(told()).toEqual([`remove ${space}/one`, `remove ${space}/two`]);
    // What is gone is told once.
    cache.load([], 6n);
    follower.catchUp();
    expect(told()).toEqual([]);
  },
);
