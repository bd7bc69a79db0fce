import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it, vi } from 'vitest';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import type { CacheGeneration } from './cache-generation.ts';
import { ResourceCache } from './resource-cache.ts';

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };

interface Scene {
  readonly generation: CacheGeneration;
  readonly undecodable: string[];
  readonly put: (name: string, revision: bigint, metadata?: object | string) => void;
  readonly remove: (name: string, revision: bigint) => void;
}

function scene(): Scene {
  const undecodable: string[] = [];
  const onUndecodable = (error: Error): void => void undecodable.push(error.message);
  const cache = new ResourceCache({ definition: configMap, clock: new FakeClock(), onUndecodable });
  const generation = cache.load([], 1n);
  const key = (name: string): string => `${cache.root}default/${name}`;
  return {
    generation,
    undecodable,
    put(name, revision, more = {}) {
      const metadata = { namespace: 'default', name, uid: name, ...(typeof more === 'string' ? {} : more) };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
      const value = Buffer.from(typeof more === 'string' ? more : JSON.stringify(object));
      generation.apply({ type: 'put', key: key(name), value, revision, previous: undefined });
    },
    remove(name, revision) {
      const previous = { key: key(name), value: Buffer.from('{}'), modRevision: 1n };
      generation.apply({ type: 'delete', key: key(name), revision, previous });
    },
  };
}

it('a value that cannot be decoded leaves the cache, is counted once, and is forgotten when it is gone or good again', () => {
  const { generation, undecodable, put, remove } = scene();
  put('a', 2n);
  put('b', 3n);
  put('a', 4n, '{');
  put('a', 5n, 'x');
  put('b', 6n, '{');
  expect([generation.size, generation.undecodable, undecodable.length]).toEqual([0, 2, 3]);
  expect([generation.isUndecodable('default/a'), generation.isUndecodable('default/c')]).toEqual([true, false]);
  put('a', 7n);
  remove('b', 8n);
  expect([generation.size, generation.undecodable]).toEqual([1, 0]);
});

it('the last write of an object that somebody owns is known, and no other write moves it', () => {
  const { generation, put, remove } = scene();
  expect(generation.lastOwned).toBe(0n);
  put('a', 2n);
  expect(generation.lastOwned).toBe(0n);
  put('a', 3n, { ownerReferences: [OWNER] });
  put('b', 4n);
  expect(generation.lastOwned).toBe(3n);
  remove('a', 5n);
  expect(generation.lastOwned).toBe(3n);
});

it('whether some object is owned is told at the beginning, and then only when that changes', () => {
  const told: boolean[] = [];
  const cache = new ResourceCache({ definition: configMap, clock: new FakeClock(), onOwned: (is) => told.push(is) });
  const entry = (name: string, ownerReferences: readonly object[], modRevision: bigint) => ({
    key: `${cache.root}default/${name}`,
    value: Buffer.from(JSON.stringify({ metadata: { namespace: 'default', name, ownerReferences } })),
    modRevision,
  });
  const generation = cache.load([entry('a', [], 1n)], 1n);
  expect([told, generation.lastOwned]).toEqual([[false], 0n]);
  const put = (name: string, owners: readonly object[], revision: bigint): void => {
    const { key, value } = entry(name, owners, revision);
    generation.apply({ type: 'put', key, value, revision, previous: undefined });
  };
  const gone = (name: string) =>
    ({ type: 'delete', key: `${cache.root}default/${name}`, previous: entry(name, [], 1n) }) as const;
  put('a', [], 2n);
  expect(told).toEqual([false]);
  put('a', [OWNER], 3n);
  put('b', [OWNER], 4n);
  put('b', [OWNER], 5n);
  expect([told, generation.lastOwned]).toEqual([[false, true], 5n]);
  put('a', [], 6n);
  expect(told).toEqual([false, true]);
  generation.apply({ ...gone('b'), revision: 7n });
  expect([told, generation.lastOwned]).toEqual([[false, true, false], 5n]);
  told.length = 0;
  const next = cache.load([entry('a', [OWNER], 9n), entry('b', [OWNER], 8n), entry('c', [], 10n)], 10n);
  expect([told, next.lastOwned]).toEqual([[true], 9n]);
  next.apply({ ...gone('a'), revision: 11n });
  expect(told).toEqual([true]);
  next.apply({ ...gone('b'), revision: 12n });
  expect(told).toEqual([true, false]);
});

it('a listener hears of each change and each batch until it stops, and of the end', () => {
  const { generation, put } = scene();
  const heard: string[] = [];
  const listener = (name: string) => ({
    changed: ({ key }: { readonly key: string }) => void heard.push(`${name} ${key}`),
    settled: (revision: bigint) => void heard.push(`${name} @${revision}`),
    ended: () => void heard.push(`${name} end`),
  });
  const stop = generation.listen(listener('one'));
  generation.listen(listener('two'));
  put('a', 2n);
  generation.settle(2n);
  generation.settle(2n);
  expect(heard.splice(0)).toEqual(['one default/a', 'two default/a', 'one @2', 'two @2']);
  stop();
  put('a', 3n);
  generation.end();
  generation.end();
  expect(heard).toEqual(['two default/a', 'two end']);
});

it('a snapshot is made once for each revision, and never shows what comes after it', () => {
  const { generation, put } = scene();
  put('a', 2n);
  generation.settle(2n);
  const first = generation.snapshot();
  expect(generation.snapshot()).toBe(first);
  put('b', 3n);
  generation.settle(3n);
  expect([generation.snapshot().size, first.size]).toEqual([2, 1]);
  generation.keepSnapshot(first);
  expect([generation.snapshots.count, generation.snapshotAt(2n)]).toEqual([1, first]);
  expect(generation.snapshotAt(3n)?.size).toBe(2);
  generation.forgetChanges();
  expect([generation.snapshots, generation.window.size, generation.window.oldestStart]).toEqual([
    { count: 0, bytes: 0 },
    0,
    3n,
  ]);
  generation.keepSnapshot(generation.snapshot());
  generation.end();
  generation.keepSnapshot(first);
  expect([generation.snapshots.count, generation.snapshotAt(3n)]).toEqual([0, undefined]);
});

it('bytes are those of the objects that are there', () => {
  const { generation, put, remove } = scene();
  put('a', 2n);
  const one = generation.bytes;
  expect(one).toBeGreaterThan(0);
  put('b', 3n);
  expect(generation.bytes).toBe(2 * one);
  put('a', 4n, { labels: { long: 'x'.repeat(60) } });
  expect(generation.bytes).toBeGreaterThan(2 * one);
  remove('a', 5n);
  expect(generation.bytes).toBe(one);
});

it('a change from before its beginning changes nothing, and nothing does after its end', () => {
  const { generation, put } = scene();
  put('a', 1n);
  expect(generation.size).toBe(0);
  put('a', 2n);
  const listener = { changed: () => expect.unreachable(), settled: () => expect.unreachable(), ended: () => {} };
  generation.end();
  generation.listen(listener);
  put('b', 3n);
  generation.settle(4n);
  expect([generation.size, generation.isEnded]).toEqual([1, true]);
  expect(generation.window.at(generation.window.after(0n))).toBeUndefined();
});

it('is as far as its feed, also when nothing of it changes, and stays where it was when it ends', () => {
  const progress = { revision: 0n, reached: async () => true };
  const cache = new ResourceCache({ definition: configMap, clock: new FakeClock() });
  const generation = cache.load([], 3n, progress);
  expect(generation.revision).toBe(3n);
  progress.revision = 5n;
  expect(generation.revision).toBe(5n);
  generation.end();
  progress.revision = 9n;
  expect(generation.revision).toBe(5n);
});

it('a state that is loaded in turns is the same as one that is loaded at once, and each object counts once', async () => {
  const cache = new ResourceCache({ definition: configMap, clock: new FakeClock() });
  const entries = Array.from({ length: 1500 }, (_, index) => ({
    key: `${cache.root}default/${index}`,
    value: Buffer.from(JSON.stringify({ metadata: { namespace: 'default', name: String(index) } })),
    modRevision: BigInt(index + 1),
  }));
  const atOnce = cache.load(entries, 2000n);
  const { size, bytes } = atOnce;
  const inTurns = await cache.loadInTurns(entries, 2000n, { revision: 0n, reached: async () => true });
  expect([inTurns.size, inTurns.bytes]).toEqual([size, bytes]);
});

it('a state that is loaded in turns gives way by time, however few its objects are', async () => {
  const cache = new ResourceCache({ definition: configMap, clock: new FakeClock() });
  const entries = Array.from({ length: 160 }, (_, index) => ({
    key: `${cache.root}default/${index}`,
    value: Buffer.from(JSON.stringify({ metadata: { namespace: 'default', name: String(index) } })),
    modRevision: BigInt(index + 1),
  }));
  // Eight objects take a millisecond: as long as some labels make it.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now++);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await cache.loadInTurns(entries, 200n, { revision: 0n, reached: async () => true });
  isOver = true;
  vi.restoreAllMocks();
  expect(turns).toBeGreaterThan(5);
});
