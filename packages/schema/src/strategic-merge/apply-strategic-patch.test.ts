import { describe, expect, test } from 'vitest';
import type { SchemaPackage } from '../schema.ts';
import { SchemaSet } from '../schema-set.ts';
import { applyStrategicPatch, strategicResult } from './apply-strategic-patch.ts';
import { createTwoWayPatch } from './create-strategic-patch.ts';
import { StrategicMergeError } from './strategic-merge-error.ts';

const SHOP: SchemaPackage = {
  name: 'shop/v1',
  imports: [],
  types: {
    Order: {
      fields: {
        lines: { list: 'shop/v1.Line', patchStrategy: 'merge', patchMergeKey: 'article' },
        stamps: { list: 'string', patchStrategy: 'merge' },
        notes: { list: 'string' },
        labels: { map: 'string' },
        payment: { type: 'shop/v1.Payment', patchStrategy: 'retainKeys' },
        address: { type: 'shop/v1.Payment', patchStrategy: 'replace' },
        extra: { type: 'rawExtension' },
        plans: { map: 'shop/v1.Payment' },
        loose: { list: 'shop/v1.Line', patchStrategy: 'merge' },
      },
    },
    Line: { fields: { article: { type: 'string' }, count: { type: 'int32' }, parts: { list: 'string' } } },
    Payment: { fields: { card: { type: 'string' }, cash: { type: 'string' } } },
  },
};
const schemas = new SchemaSet([SHOP]);
const ORDER = 'shop/v1.Order';

function apply(object: object, patch: object): unknown {
  return applyStrategicPatch(schemas, ORDER, object, patch);
}

describe('a strategic merge patch', () => {
  test.each([
    [
      'sets and adds members of a map',
      { labels: { a: '1' } },
      { labels: { a: '2', b: '3' } },
      { labels: { a: '2', b: '3' } },
    ],
    [
      'null deletes',
      { labels: { a: '1', b: '2' }, notes: ['x'] },
      { labels: { a: null }, notes: null },
      { labels: { b: '2' } },
    ],
    [
      'null of what is missing does nothing',
      { notes: ['x'] },
      { labels: null, payment: { card: null } },
      { notes: ['x'], payment: {} },
    ],
    ['replaces a list without a strategy', { notes: ['x', 'y'] }, { notes: ['z'] }, { notes: ['z'] }],
    ['merges scalars', { stamps: ['a', 'b'] }, { stamps: ['c', 'b'] }, { stamps: ['c', 'a', 'b'] }],
    [
      'deletes scalars',
      { stamps: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/stamps': ['b', 'x'] },
      { stamps: ['a', 'c'] },
    ],
    [
      'merges items by their key',
      { lines: [{ article: 'a', count: 1, parts: ['p'] }, { article: 'b' }] },
      { lines: [{ article: 'b', count: 2 }, { article: 'c' }] },
      { lines: [{ article: 'a', count: 1, parts: ['p'] }, { article: 'b', count: 2 }, { article: 'c' }] },
    ],
    [
      'deletes an item, and all with the same key',
      { lines: [{ article: 'a' }, { article: 'b', count: 1 }, { article: 'b', count: 2 }] },
      { lines: [{ article: 'b', $patch: 'delete' }] },
      { lines: [{ article: 'a' }] },
    ],
    [
      'replaces a list of items',
      { lines: [{ article: 'a' }] },
      { lines: [{ $patch: 'replace' }, { article: 'z' }] },
      { lines: [{ article: 'z' }] },
    ],
    [
      'sets the order, with the items of the server between',
      { lines: [{ article: 'a' }, { article: 's' }, { article: 'b' }] },
      { '$setElementOrder/lines': [{ article: 'b' }, { article: 'a' }] },
      { lines: [{ article: 's' }, { article: 'b' }, { article: 'a' }] },
    ],
    ['replaces an object', { labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }, { labels: { b: '2' } }],
    ['empties an object', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    [
      'leaves out a directive for what is missing',
      {},
      { labels: { $patch: 'delete' }, notes: ['a'] },
      { notes: ['a'] },
    ],
    [
      'retains keys',
      { payment: { card: '1' } },
      { payment: { $retainKeys: ['cash'], cash: '2' } },
      { payment: { cash: '2' } },
    ],
    [
      'replaces a field with that strategy',
      { address: { card: '1' } },
      { address: { cash: '2' } },
      { address: { cash: '2' } },
    ],
    ['takes a value of another type', { labels: { a: '1' } }, { labels: 'text' }, { labels: 'text' }],
    ['tells 1 from "1"', { stamps: ['1'] }, { stamps: ['1', '2'] }, { stamps: ['1', '2'] }],
  ])('%s', (_name, object, patch, expected) => {
    const before = JSON.stringify([object, patch]);
    expect(apply(object, patch)).toEqual(expected);
    expect(JSON.stringify([object, patch])).toBe(before);
  });

  test.each([
    ['MALFORMED_PATCH', { $setElementOrder: [] }, 'invalid patch format of setElementOrder list'],
    ['MALFORMED_PATCH', { $deleteFromPrimitiveList: [] }, 'invalid patch format of primitive list'],
    ['MALFORMED_PATCH', { payment: { $retainKeys: 'x' } }, 'invalid patch format of retainKeys'],
    ['MALFORMED_PATCH', { payment: { $retainKeys: ['card'], cash: '1' } }, 'invalid patch format of retainKeys'],
    [
      'MALFORMED_PATCH',
      { lines: [{ article: {} }] },
      'the merge key article of an item is not a scalar: map[article:map[]]',
    ],
    ['UNMERGEABLE_PATCH', { '$setElementOrder/lines': 'x' }, 'expected a []interface {}, but received a string'],
    ['UNMERGEABLE_PATCH', { '$setElementOrder/stamps': null }, 'expected a []interface {}, but received a %!s(<nil>)'],
    [
      'UNMERGEABLE_PATCH',
      { '$setElementOrder/nope': [] },
      'unable to find api field in struct Order for the json field "nope"',
    ],
    [
      'UNMERGEABLE_PATCH',
      { '$setElementOrder/lines': [{ article: 'a' }], lines: [{ article: 'b', count: 1.5 }] },
      "The order in patch list:\n[map[article:b count:1.5]]\n doesn't match $setElementOrder list:\n[map[article:a]]\n",
    ],
    ['UNMERGEABLE_PATCH', { lines: [{ count: 1 }] }, 'map: map[count:1] does not contain declared merge key: article'],
    ['UNMERGEABLE_PATCH', { lines: ['x'] }, 'list element types are not identical: [[map[article:a]] [x]]'],
    ['UNMERGEABLE_PATCH', { lines: [null] }, 'list element types are not identical: [[map[article:a]] [<nil>]]'],
    ['UNMERGEABLE_PATCH', { labels: { $patch: 'x' } }, 'unknown patch type: x in map: map[$patch:x]'],
    ['UNMERGEABLE_PATCH', { $patch: 5 }, 'unknown patch type: %!s(int64=5) in map: map[$patch:5]'],
    [
      'UNMERGEABLE_PATCH',
      { lines: [{ article: 'a', $patch: 'merge' }] },
      'merging lists cannot yet be specified in the patch',
    ],
    ['UNMERGEABLE_PATCH', { loose: [{ article: 'a' }] }, 'cannot merge lists without merge key for struct'],
    [
      'UNMERGEABLE_PATCH',
      { plans: { gold: { card: { a: 1 } } } },
      'merging an object in json but data type is not struct, instead is: map',
    ],
    [
      'UNMERGEABLE_PATCH',
      { extra: { inner: { b: 1 } } },
      'unable to find api field in struct RawExtension for the json field "inner"',
    ],
  ])('%s: %j', (code, patch, message) => {
    const object = {
      lines: [{ article: 'a' }],
      loose: [{ article: 'a' }],
      stamps: ['a'],
      labels: { a: '1' },
      payment: { card: '1' },
      plans: { gold: { card: 'x' } },
      extra: { inner: { a: 1 } },
    };
    expect(() => apply(object, patch)).toThrow(expect.objectContaining({ code, message }));
    expect(() => apply(object, patch)).toThrow(StrategicMergeError);
  });

  test('what is left of it has no directives that were carried out', () => {
    const patch = { labels: { $patch: 'replace', a: null }, '$setElementOrder/stamps': ['a'], notes: ['x'] };
    expect(strategicResult(schemas, ORDER, { labels: {} }, patch).rest).toEqual(
      new Map<string, unknown>([
        ['labels', new Map([['a', null]])],
        ['notes', ['x']],
      ]),
    );
  });
});

function many(count: number, item: (index: number) => unknown): unknown[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

describe('hostile input', () => {
  test('names that every object inherits are names like others', () => {
    const object = JSON.parse(
      '{"labels":{"__proto__":"1","toString":"2"},"lines":[{"article":"__proto__","count":1}]}',
    );
    const patch = JSON.parse(
      '{"labels":{"__proto__":null,"constructor":"3"},"lines":[{"article":"__proto__","count":2}],"__proto__":{"x":1}}',
    );
    expect(JSON.stringify(apply(object, patch))).toBe(
      '{"labels":{"toString":"2","constructor":"3"},"lines":[{"article":"__proto__","count":2}],"__proto__":{"x":1}}',
    );
    expect(() => apply({ toString: { a: {} } }, { toString: { a: {} } })).toThrow('unable to find api field');
    expect({}).not.toHaveProperty('x');
  });

  test.each([5_000, 20_000])('%d items are merged, deleted and ordered with a bounded number of look-ups', (count) => {
    let reads = 0;
    /** Counts how often the key of an item is read: more than a fixed number for each means a search. */
    const counted = (article: string): object =>
      Object.defineProperty({ count: 1 }, 'article', {
        enumerable: true,
        get: () => {
          reads += 1;
          return article;
        },
      });
    const object = { lines: many(count, (index) => counted(`a${index}`)) };
    const patch = {
      '$setElementOrder/lines': many(count, (index) => ({ article: `a${count - 1 - index}` })),
      lines: [
        ...many(count / 2, (index) => ({ article: `a${count - 1 - index}`, count: 2 })),
        ...many(count / 4, (index) => ({ article: `a${index}`, $patch: 'delete' })),
      ],
    };
    expect(apply(object, patch)).toMatchObject({ lines: { length: count - count / 4 } });
    expect(reads).toBeLessThan(count * 64);
  });

  test('20 000 items with the same key are merged into one', () => {
    const patch = { lines: many(20_000, (index) => ({ article: 'a', count: index })) };
    expect(apply({ lines: [{ article: 'a' }] }, patch)).toEqual({ lines: [{ article: 'a', count: 19_999 }] });
  });

  test('a patch that nests too deep is refused, not recursed into', () => {
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth += 1) deep = depth % 2 === 0 ? [deep] : { deep };
    expect(() => apply({}, { extra: deep })).toThrow('the document nests deeper than 1000 levels');
    expect(() => createTwoWayPatch(schemas, ORDER, {}, { extra: deep })).toThrow('nests deeper');
  });

  test('the message about a large list is cut', () => {
    const lines = many(20_000, () => ({ article: 'x'.repeat(100) }));
    const failure = (): unknown => apply({ lines: [{ article: 'a' }] }, { lines: [...lines, 'x'] });
    expect(failure).toThrow('list element types are not identical: ');
    expect(failure).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{0,9000}$/su) }));
  });
});
