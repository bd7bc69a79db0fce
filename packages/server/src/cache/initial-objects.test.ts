import { EVERY_FIELD, parseLabelSelector } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import type { CachedObject } from './cached-object.ts';
import { type InitialObjects, initialObjects, SelectedObjects } from './initial-objects.ts';
import { ResourceCache } from './resource-cache.ts';
import type { WatchScope } from './watch-scope.ts';

const cache = new ResourceCache({ definition: configMap, clock: new FakeClock() });
const scope: WatchScope = { namespace: '', name: '', labels: parseLabelSelector('app=a,odd!=1'), fields: EVERY_FIELD };

function entryOf(index: number, app: string): { key: string; value: Buffer; modRevision: bigint } {
  const name = `n${String(index).padStart(5, '0')}`;
  const metadata = { namespace: index % 2 === 0 ? 'x' : 'y', name, labels: { app, odd: String(index % 3) } };
  const value = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata }));
  return { key: `${cache.root}${metadata.namespace}/${name}`, value, modRevision: 1n };
}

function objectAt(key: string): CachedObject {
  const [namespace = '', name = ''] = key.split('/');
  const bytes = Buffer.alloc(0);
  return { key, namespace, name, revision: 1n, bytes, labels: {}, fields: {}, owned: false };
}

function keysOf(objects: InitialObjects, prefix = '', start = '', most = Number.POSITIVE_INFINITY): readonly string[] {
  const keys: string[] = [];
  objects.visit(prefix, start, ({ key }) => {
    keys.push(key);
    return keys.length < most;
  });
  return keys;
}

it.each([
  ['few of many objects are copied', 10, false],
  ['as many as are copied at most are', 1024, false],
  ['more share the snapshot', 1025, true],
])('of a selector that an index knows %s', (_, selected, isShared) => {
  const entries = Array.from({ length: 2000 }, (_one, index) => entryOf(index, index < selected ? 'a' : 'b'));
  const generation = cache.load(entries, 7n);
  expect(initialObjects(generation, scope)).toBe(generation.snapshot());
  const objects = initialObjects(generation, scope);
  expect(objects === generation.snapshot()).toBe(isShared);
  expect(objects.revision).toBe(7n);
  if (isShared) return;
  const wanted = Array.from({ length: selected }, (_one, index) => index).filter((index) => index % 3 !== 1);
  expect(keysOf(objects).toSorted()).toEqual(
    wanted.map((index) => entryOf(index, 'a').key.slice(cache.root.length)).toSorted(),
  );
  // The index changes its own list; who began with it must not notice.
  const before = keysOf(objects);
  const { key, value } = entryOf(0, 'b');
  generation.apply({ type: 'put', key, value, revision: 8n, previous: undefined });
  expect(keysOf(objects)).toEqual(before);
});

it('selected objects are visited by prefix, from a key on, until the visitor has enough', () => {
  const objects = new SelectedObjects(['x/a', 'x/b', 'x/c', 'y/a'].map(objectAt), 1n);
  expect(keysOf(objects)).toEqual(['x/a', 'x/b', 'x/c', 'y/a']);
  expect(keysOf(objects, 'x/')).toEqual(['x/a', 'x/b', 'x/c']);
  expect(keysOf(objects, 'x/', 'x/b')).toEqual(['x/b', 'x/c']);
  expect(keysOf(objects, '', 'x/b\0')).toEqual(['x/c', 'y/a']);
  expect(keysOf(objects, '', 'x/b', 2)).toEqual(['x/b', 'x/c']);
});
