import { describe, expect, test } from 'vitest';
import { SchemaSet } from '../schema-set.ts';
import { createThreeWayPatch, createTwoWayPatch } from './create-strategic-patch.ts';
import { StrategicMergeError } from './strategic-merge-error.ts';

const schemas = new SchemaSet([
  {
    name: 'shop/v1',
    imports: [],
    types: {
      Order: {
        fields: {
          kind: { type: 'string' },
          metadata: { fields: { name: { type: 'string' }, labels: { map: 'string' } } },
          lines: { list: 'shop/v1.Line', patchStrategy: 'merge', patchMergeKey: 'article' },
          notes: { list: 'string' },
          stops: { list: 'shop/v1.Line' },
          stamps: { list: 'string', patchStrategy: 'merge' },
          payment: { type: 'shop/v1.Payment', patchStrategy: 'retainKeys' },
          address: { type: 'shop/v1.Payment', patchStrategy: 'replace' },
        },
      },
      Line: { fields: { article: { type: 'string' }, count: { type: 'int32' } } },
      Payment: { fields: { card: { type: 'string' }, cash: { type: 'string' } } },
    },
  },
]);
const ORDER = 'shop/v1.Order';

describe('a two-way patch', () => {
  test.each([
    [{ notes: ['a'] }, { notes: ['a'] }, {}],
    [
      { metadata: { labels: { a: '1', b: '2' } } },
      { metadata: { labels: { b: '3' } } },
      { metadata: { labels: { a: null, b: '3' } } },
    ],
    [
      { stamps: ['a', 'b'] },
      { stamps: ['b', 'c'] },
      { stamps: ['c'], '$deleteFromPrimitiveList/stamps': ['a'], '$setElementOrder/stamps': ['b', 'c'] },
    ],
    [
      { lines: [{ article: 'a', count: 1 }, { article: 'b' }] },
      { lines: [{ article: 'a', count: 2 }] },
      {
        lines: [
          { article: 'a', count: 2 },
          { article: 'b', $patch: 'delete' },
        ],
        '$setElementOrder/lines': [{ article: 'a' }],
      },
    ],
    [
      { payment: { card: '1' } },
      { payment: { cash: '1' } },
      { payment: { card: null, cash: '1', $retainKeys: ['cash'] } },
    ],
    [{ address: { card: '1' } }, { address: { card: '1' } }, { address: { card: '1' } }],
    [{ unknown: { a: {} } }, { unknown: { a: {} } }, {}],
  ])('%j -> %j', (original, modified, patch) => {
    expect(createTwoWayPatch(schemas, ORDER, original, modified)).toEqual(patch);
  });

  test('of what the schema does not know is an error', () => {
    expect(() => createTwoWayPatch(schemas, ORDER, { unknown: { a: 1 } }, { unknown: { a: 2 } })).toThrow(
      'unable to find api field in struct Order for the json field "unknown"',
    );
  });

  test.each([
    ['kind', { kind: 'A' }, { kind: 'B' }],
    ['metadata.name', { metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
    ['kind', { kind: 'A' }, {}],
  ])('that would change %s is refused when that must stay', (field, original, modified) => {
    const unchanged = { unchanged: [field] };
    expect(() => createTwoWayPatch(schemas, ORDER, original, modified, unchanged)).toThrow(StrategicMergeError);
    expect(() => createTwoWayPatch(schemas, ORDER, original, modified, unchanged)).toThrow(
      'precondition failed for: map[',
    );
    expect(createTwoWayPatch(schemas, ORDER, original, original, unchanged)).toEqual({});
  });
});

describe('a three-way patch', () => {
  test('sets what is wanted, deletes what was applied before, and keeps the rest', () => {
    const patch = createThreeWayPatch(schemas, ORDER, {
      original: { metadata: { labels: { a: '1', b: '1' } }, lines: [{ article: 'a' }, { article: 'b' }] },
      modified: { metadata: { labels: { a: '2' } }, lines: [{ article: 'a', count: 2 }] },
      current: {
        metadata: { labels: { a: '1', b: '1', theirs: '1' } },
        lines: [{ article: 'theirs' }, { article: 'a' }, { article: 'b' }],
      },
    });
    expect(patch).toEqual({
      metadata: { labels: { a: '2', b: null } },
      lines: [
        { article: 'a', count: 2 },
        { article: 'b', $patch: 'delete' },
      ],
      '$setElementOrder/lines': [{ article: 'a' }],
    });
  });

  test.each([
    ['the same field', { kind: 'A' }, { kind: 'B' }, { kind: 'C' }],
    ['a field and its deletion', { kind: 'A' }, {}, { kind: 'C' }],
    [
      'the same item',
      { lines: [{ article: 'a', count: 1 }] },
      { lines: [{ article: 'a', count: 2 }] },
      { lines: [{ article: 'a', count: 3 }] },
    ],
    ['lists of other lengths', { notes: ['a'] }, { notes: ['b'] }, { notes: ['b', 'c'] }],
    [
      'lists of objects of other lengths',
      { stops: [] },
      { stops: [{ count: 1 }] },
      { stops: [{ count: 1 }, { count: 2 }] },
    ],
  ])('without overwriting is a conflict: %s', (_name, original, modified, current) => {
    const objects = { original, modified, current };
    expect(() => createThreeWayPatch(schemas, ORDER, objects, { overwrite: false })).toThrow(
      expect.objectContaining({
        code: 'PATCH_CONFLICT',
        message: expect.stringMatching(/^patch:\n\{.*\}\nconflicts with/u),
      }),
    );
    expect(createThreeWayPatch(schemas, ORDER, objects)).not.toEqual({});
  });

  test.each([
    ['other fields', { kind: 'A' }, { kind: 'B' }, { kind: 'A', notes: ['x'] }],
    ['the same change', { kind: 'A', notes: ['x'] }, { kind: 'B', notes: ['y'] }, { kind: 'B', notes: ['x'] }],
    ['additions to one list', { stamps: ['a'] }, { stamps: ['a', 'b'] }, { stamps: ['a', 'c'] }],
    [
      'other items',
      { lines: [{ article: 'a' }] },
      { lines: [{ article: 'b' }, { article: 'a' }] },
      { lines: [{ article: 'a' }, { article: 'c' }] },
    ],
  ])('without overwriting is no conflict: %s', (_name, original, modified, current) => {
    expect(() =>
      createThreeWayPatch(schemas, ORDER, { original, modified, current }, { overwrite: false }),
    ).not.toThrow();
  });
});
