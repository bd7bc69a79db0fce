import { EVERY_FIELD, EVERY_LABEL, parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CachedObject } from './cached-object.ts';
import { snapshotPage } from './list-page.ts';
import { ObjectIndex } from './object-index.ts';
import { ObjectTree } from './object-tree.ts';
import type { WatchScope } from './watch-scope.ts';

const LABELS = ['app', 'tier', 'constructor'];
const VALUES = ['', 'a', 'b'];
const NAMESPACES = ['x', 'y'];

type Step =
  | { readonly type: 'put'; readonly key: string; readonly labels: Record<string, string>; readonly node: string }
  | { readonly type: 'delete'; readonly key: string }
  | { readonly type: 'reload' }
  | {
      readonly type: 'list';
      readonly namespace: string;
      readonly labels: string;
      readonly fields: string;
      readonly limit: number;
      readonly start: string;
    };

const name = fc.integer({ min: 0, max: 7 }).map((i) => `n${i}`);
const key = fc.tuple(fc.constantFrom(...NAMESPACES), name).map(([namespace, own]) => `${namespace}/${own}`);
const value = fc.constantFrom(...VALUES);
const labelKey = fc.constantFrom(...LABELS);
const labels = fc
  .array(fc.tuple(labelKey, value), { maxLength: 3 })
  .map((entries): Record<string, string> => Object.fromEntries(entries));
const requirement = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(labelKey, value).map(([k, v]) => `${k}=${v}`) },
  fc.tuple(labelKey, value).map(([k, v]) => `${k}!=${v}`),
  fc.tuple(labelKey, value).map(([k, v]) => `${k} in (${v},a)`),
  labelKey,
);
const term = fc.tuple(fc.constantFrom('=', '!='), value).map(([operator, v]) => `spec.nodeName${operator}${v}`);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('put' as const), key, labels, node: value }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.constant({ type: 'reload' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('list' as const),
      namespace: fc.constantFrom('', ...NAMESPACES),
      labels: fc.array(requirement, { maxLength: 2 }).map((all) => all.join(',')),
      fields: fc.array(term, { maxLength: 1 }).map((all) => all.join(',')),
      limit: fc.integer({ min: 0, max: 4 }),
      start: fc.oneof(
        fc.constant(''),
        name,
        name.map((own) => `${own}\0`),
      ),
    }),
  },
);

function cached(path: string, own: Record<string, string>, node: string, revision: bigint): CachedObject {
  const [namespace = '', ownName = ''] = path.split('/');
  const fields: Record<string, string> = node === '' ? {} : { 'spec.nodeName': node };
  return { key: path, namespace, name: ownName, revision, bytes: Buffer.alloc(0), labels: own, fields, owned: false };
}

it('a list by index is the list by scan, whatever has changed before, and with any limit', () => {
  let indexed = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), (steps) => {
      const tree = new ObjectTree();
      // So small that values with too many objects, and labels that are dropped for others, come up.
      const index = new ObjectIndex({ maxTerms: 2, maxObjects: 4 });
      let revision = 0n;
      for (const one of steps) {
        revision += 1n;
        if (one.type === 'put') {
          const object = cached(one.key, one.labels, one.node, revision);
          index.change(tree.get(one.key), object);
          tree.set(object);
        } else if (one.type === 'delete') {
          index.change(tree.get(one.key), undefined);
          tree.delete(one.key);
        } else if (one.type === 'reload') {
          const kept = [...tree.snapshot(revision).walk()].filter((_, i) => i % 2 === 0);
          tree.replace(kept);
          index.clear();
        } else {
          const scope: WatchScope = {
            namespace: one.namespace,
            name: '',
            labels: one.labels === '' ? EVERY_LABEL : parseLabelSelector(one.labels),
            fields: one.fields === '' ? EVERY_FIELD : parseFieldSelector(one.fields),
          };
          const snapshot = tree.snapshot(revision);
          const request = { scope, start: one.start, limit: one.limit };
          // Once to be counted, once to be made.
          index.candidates(scope, snapshot);
          const candidates = index.candidates(scope, snapshot);
          if (candidates === undefined) continue;
          indexed += 1;
          expect(snapshotPage(snapshot, request, candidates)).toEqual(snapshotPage(snapshot, request));
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(indexed).toBeGreaterThan(1000);
});

it('makes no index for a question that is asked once, and goes back to one when a value has few objects again', () => {
  const tree = new ObjectTree();
  const index = new ObjectIndex({ maxObjects: 4 });
  const put = (path: string, app: string): void => {
    const object = cached(path, { app }, '', 1n);
    index.change(tree.get(path), object);
    tree.set(object);
  };
  const scope = { namespace: '', name: '', labels: parseLabelSelector('app=a'), fields: EVERY_FIELD };
  const keys = (): readonly string[] | undefined =>
    index.candidates(scope, tree.snapshot(1n))?.map((object) => object.key);
  for (const path of ['x/5', 'x/4', 'x/3']) put(path, 'a');
  expect(keys()).toBeUndefined();
  expect(keys()).toEqual(['x/3', 'x/4', 'x/5']);
  put('x/1', 'a');
  put('x/2', 'a');
  expect(keys()).toBeUndefined();
  for (const path of ['x/1', 'x/3', 'x/5']) put(path, 'b');
  keys();
  expect(keys()).toEqual(['x/2', 'x/4']);
});

it('counts each object of a value with too many once, however often it is written', () => {
  const tree = new ObjectTree();
  const index = new ObjectIndex({ maxObjects: 4 });
  const put = (path: string, app: string): void => {
    const object = cached(path, { app }, '', 1n);
    index.change(tree.get(path), object);
    tree.set(object);
  };
  const scope = { namespace: '', name: '', labels: parseLabelSelector('app=a'), fields: EVERY_FIELD };
  const keys = (): readonly string[] | undefined =>
    index.candidates(scope, tree.snapshot(1n))?.map((object) => object.key);
  put('x/0', 'a');
  keys();
  expect(keys()).toEqual(['x/0']);
  for (const one of [1, 2, 3]) put(`x/${one}`, 'a');
  expect(keys()).toHaveLength(4);
  for (const one of [4, 5]) put(`x/${one}`, 'a');
  expect(keys()).toBeUndefined();
  for (let times = 0; times < 10; times += 1) put('x/5', 'a');
  for (const one of [5, 4]) put(`x/${one}`, 'b');
  // The index is not made anew before there are only half as many as it may have.
  expect(keys()).toBeUndefined();
  put('x/3', 'b');
  keys();
  expect(keys()).toBeUndefined();
  put('x/2', 'b');
  keys();
  expect(keys()).toEqual(['x/0', 'x/1']);
});

it('the label that was selected by longest ago gives its place to another', () => {
  const tree = new ObjectTree();
  tree.set(cached('x/a', { one: '1', two: '2', three: '3' }, '', 1n));
  const index = new ObjectIndex({ maxTerms: 2 });
  let scans = 0;
  const all = {
    size: 1,
    visit: (prefix: string, start: string, visit: (object: CachedObject) => boolean): void => {
      scans += 1;
      tree.snapshot(1n).visit(prefix, start, visit);
    },
  };
  const list = (text: string): readonly CachedObject[] | undefined =>
    index.candidates({ namespace: '', name: '', labels: parseLabelSelector(text), fields: EVERY_FIELD }, all);
  for (const text of ['one=1', 'one=1', 'two=2', 'two=2']) list(text);
  expect(scans).toBe(2);
  // The first is used again: the second is the one that goes.
  expect(list('one=1')).toHaveLength(1);
  for (const text of ['three=3', 'three=3']) list(text);
  expect(scans).toBe(3);
  expect([list('one=1')?.length, list('three=3')?.length, scans]).toEqual([1, 1, 3]);
  expect(list('two=2')).toBeUndefined();
});

it('of several indexed terms the one with the fewest objects is taken', () => {
  const tree = new ObjectTree();
  const index = new ObjectIndex();
  for (const own of ['a', 'b', 'c']) tree.set(cached(`x/${own}`, { all: '1', own }, '', 1n));
  const list = (text: string): readonly CachedObject[] | undefined => {
    const scope = { namespace: '', name: '', labels: parseLabelSelector(text), fields: EVERY_FIELD };
    return index.candidates(scope, tree.snapshot(1n));
  };
  for (const text of ['all=1', 'all=1', 'own=b', 'own=b']) list(text);
  for (const text of ['all=1,own=b', 'own=b,all=1']) expect(list(text)?.map(({ key: k }) => k)).toEqual(['x/b']);
  expect(list('all=1,own=nobody')).toEqual([]);
});

it('a label that was selected by once is forgotten after a hundred others', () => {
  const tree = new ObjectTree();
  tree.set(cached('x/a', { k: 'v' }, '', 1n));
  const list = (index: ObjectIndex, text: string): readonly CachedObject[] | undefined =>
    index.candidates(
      { namespace: '', name: '', labels: parseLabelSelector(text), fields: EVERY_FIELD },
      tree.snapshot(1n),
    );
  const kept = new ObjectIndex();
  list(kept, 'k=v');
  for (let i = 0; i < 99; i += 1) list(kept, `other${i}=v`);
  expect(list(kept, 'k=v')).toHaveLength(1);
  const forgotten = new ObjectIndex();
  list(forgotten, 'k=v');
  for (let i = 0; i < 100; i += 1) list(forgotten, `other${i}=v`);
  expect(list(forgotten, 'k=v')).toBeUndefined();
});

it('a selector with very many terms makes one index for each list at most', () => {
  const tree = new ObjectTree();
  tree.set(cached('x/a', {}, '', 1n));
  const index = new ObjectIndex();
  const selector = parseLabelSelector(Array.from({ length: 90 }, (_, i) => `k${i}=v`).join(','));
  const scope = { namespace: '', name: '', labels: selector, fields: EVERY_FIELD };
  let scans = 0;
  const all = { size: 1, visit: (): void => void (scans += 1) };
  for (let list = 0; list < 10; list += 1) index.candidates(scope, all);
  expect(scans).toBe(1);
});

it('of many objects is made in parts, and knows what has changed meanwhile', async () => {
  const tree = new ObjectTree();
  const index = new ObjectIndex();
  const put = (number: number, app: string): void => {
    const object = cached(`x/n${String(number).padStart(6, '0')}`, { app }, '', 1n);
    index.change(tree.get(object.key), object);
    tree.set(object);
  };
  for (let number = 0; number < 20_000; number += 1) put(number * 2, number % 50 === 0 ? 'a' : 'b');
  const scope = { namespace: '', name: '', labels: parseLabelSelector('app=a'), fields: EVERY_FIELD };
  const candidates = (): readonly CachedObject[] | undefined => index.candidates(scope, tree.snapshot(1n));
  expect([candidates(), candidates()]).toEqual([undefined, undefined]);
  // Before and behind what it has read, new ones, and some that are others' now.
  for (const number of [1, 2, 100, 20_001, 39_000, 39_900]) put(number, 'a');
  for (const number of [0, 200, 30_000, 39_800]) put(number, 'b');
  const gone = `x/n${String(300).padStart(6, '0')}`;
  index.change(tree.get(gone), undefined);
  tree.delete(gone);
  let turns = 0;
  while (candidates() === undefined) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(turns).toBeGreaterThan(0);
  const expected = [...tree.snapshot(1n).walk()].filter(({ labels: own }) => own?.['app'] === 'a');
  expect(candidates()).toEqual(expected);
  put(3, 'a');
  expect(candidates()).toHaveLength(expected.length + 1);
});
