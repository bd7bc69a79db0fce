/** What the budgets are charged for is what is kept in memory, whatever shape a client gives it. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EVERY_FIELD, EVERY_LABEL, parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { type CachedObject, objectBytes } from './cached-object.ts';
import { ChangeWindow } from './change-window.ts';
import { ObjectTree } from './object-tree.ts';
import { SnapshotCache } from './snapshot-cache.ts';
import { selectorBytes, type WatchScope } from './watch-scope.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Estimates are constants of a few shapes, and the heap holds what was there before. */
const TOLERANCE = 1.3;
const NOISE_BYTES = 300_000;

async function usedBytes(): Promise<number> {
  // What a text was interned for is dropped in a later turn.
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Holds the memory that the results of `make` take against what `charged` counts. */
async function expectCharged<T>(count: number, make: (n: number) => T, charged: (one: T) => number): Promise<void> {
  make(-1);
  const kept: T[] = [];
  const before = await usedBytes();
  for (let n = 0; n < count; n += 1) kept.push(make(n));
  const taken = (await usedBytes()) - before;
  let sum = 0;
  for (const one of kept) sum += charged(one);
  expect(taken).toBeLessThan(TOLERANCE * sum + NOISE_BYTES);
}

const terms = (count: number, text: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => text(n)).join(',');
const key = (n: number, seed: number): string => (n + 40_000 + 1000 * seed).toString(36);

it.each<[string, (seed: number) => string]>([
  ['a thousand short keys', (seed) => terms(1000, (n) => key(n, seed))],
  ['a thousand short equations', (seed) => terms(1000, (n) => `${key(n, seed)}=a`)],
  ['a thousand sets of one', (seed) => terms(1000, (n) => `${key(n, seed)} in (a)`)],
  ['one set of 8 000 values', (seed) => `k in (${terms(8000, (n) => key(n, seed))})`],
  ['60 000 spaces', (seed) => `${' '.repeat(60_000)}app.kubernetes.io/name=a${seed}`],
  ['one value 15 000 times', (seed) => `app.kubernetes.io/name in (${terms(15_000, () => `v${seed}`)})`],
])('a label selector of %s is charged for what it keeps', async (_, textOf) => {
  const make = (seed: number): WatchScope => {
    return { namespace: '', name: '', labels: parseLabelSelector(textOf(seed)), fields: EVERY_FIELD };
  };
  // Each selector also costs its watch: a channel, its id, a place in an index.
  await expectCharged(40, make, (scope) => selectorBytes(scope) + 500);
});

function fieldScope(seed: number): WatchScope {
  const fields = parseFieldSelector(terms(1000, (n) => `${key(n, seed)}!=`));
  return { namespace: '', name: '', labels: EVERY_LABEL, fields };
}

it('a field selector of a thousand short terms is charged for what it keeps', async () => {
  await expectCharged(40, fieldScope, selectorBytes);
});

function cached(name: string, labels: Readonly<Record<string, string>>, revision: bigint): CachedObject {
  const text = JSON.stringify({ metadata: { name, labels }, data: { text: 'x'.repeat(200) } });
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text);
  const fields = { 'metadata.name': name, 'metadata.namespace': 'default' };
  const parsed = JSON.parse(text).metadata.labels;
  return { key: `default/${name}`, namespace: 'default', name, revision, bytes, labels: parsed, fields, owned: false };
}

it.each([
  ['4 labels', 4, 3000],
  ['200 short labels', 200, 300],
  ['5 000 short labels', 5000, 20],
])('an object with %s is charged for what it keeps', async (_, labels, count) => {
  const make = (seed: number): CachedObject =>
    cached(
      `n${seed}`,
      Object.fromEntries(Array.from({ length: labels }, (_one, n) => [key(n, 0), `${seed}-${n}`])),
      1n,
    );
  await expectCharged(count, make, objectBytes);
});

it('snapshots of the past, for continue tokens that somebody made up, are charged for what they keep', async () => {
  const count = 5000;
  const tree = new ObjectTree();
  const window = new ChangeWindow(1n, { minCapacity: 2 * count, maxCapacity: 2 * count });
  for (let n = 0; n < count; n += 1) tree.set(cached(`n${n}`, {}, 1n));
  for (let n = 0; n < count; n += 1) {
    const object = cached(`n${n}`, {}, BigInt(n + 2));
    const previous = tree.get(object.key);
    tree.set(object);
    window.append({ key: object.key, revision: object.revision, object, previous }, 0);
  }
  const current = tree.snapshot(BigInt(count + 1));
  const snapshots = new SnapshotCache(new ByteBudget(2 ** 40), new FakeClock());
  const before = await usedBytes();
  for (let n = 0; n < 60; n += 1) snapshots.at(BigInt(n + 2), current, window);
  const taken = (await usedBytes()) - before;
  expect(snapshots.size).toBe(60);
  expect(taken).toBeLessThan(TOLERANCE * snapshots.bytes + NOISE_BYTES);
  snapshots.dispose();
});
