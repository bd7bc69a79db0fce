import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from '../../../../server/src/write/body/json-patch.ts';
import { jsonPatchOf } from './json-patch-of.ts';

/** Keys that paths escape and that prototypes have, and lists that differ in a few places. */
const key = fc.oneof(fc.constantFrom('a', 'b', '~', '/', '~1', '', 'constructor', '0'), fc.string());
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(null, true, false, 'x', 1.5),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

describe('the patch of a comparison', () => {
  it('makes the second value of the first', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const patch = JSON.parse(JSON.stringify(jsonPatchOf({ root: before }, { root: after })));
        expect(applyJsonPatch({ root: structuredClone(before) }, patch)).toEqual({ root: after });
      }),
    );
  });

  it('of equal values is empty', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(jsonPatchOf(value, structuredClone(value))).toEqual([]);
      }),
    );
  });

  it('says only what differs, and leaves integers alone that JavaScript rounds', () => {
    const before = JSON.parse('{"big":9007199254740993,"list":[{"big":9007199254740993},1],"a/b":{"~":1}}');
    const after = structuredClone(before);
    after.list.push(2);
    after['a/b']['~'] = 2;
    delete after.gone;
    expect(jsonPatchOf(before, after)).toEqual([
      { op: 'add', path: '/list/2', value: 2 },
      { op: 'replace', path: '/a~1b/~0', value: 2 },
    ]);
  });

  it('has no write of an integer that was rounded', () => {
    const before = JSON.parse('{"list":[1,{"big":9007199254740993}]}');
    const after = { list: ['other', before.list[0], before.list[1], 'more'] };
    expect(() => jsonPatchOf(before, after)).toThrow('an integer beyond 2^53 at /list/2/big');
  });

  it('takes a member that is undefined for an absent one, and a Date for its text', () => {
    const after = { a: undefined, at: new Date(0) };
    expect(jsonPatchOf({ a: 1, b: 2 }, after)).toEqual([
      { op: 'remove', path: '/a' },
      { op: 'remove', path: '/b' },
      { op: 'add', path: '/at', value: '1970-01-01T00:00:00.000Z' },
    ]);
  });

  it.each([
    [Number.NaN, 'the number NaN at /spec/x'],
    [Number.POSITIVE_INFINITY, 'the number Infinity at /spec/x'],
    [1n, 'the bigint 1 at /spec/x'],
    [() => 1, 'a function'],
    [new Map(), 'an object at /spec/x'],
  ])('is refused for %s, which JSON cannot hold', (value, message) => {
    expect(() => jsonPatchOf({ spec: {} }, { spec: { x: value } })).toThrow(message);
  });
});
