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
