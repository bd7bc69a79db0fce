import { expect, it } from 'vitest';
import { mergeDiff } from './merge-diff.ts';

it.each([
  ['nothing', { a: 1 }, {}, undefined],
  ['the same', { a: 1, b: { c: [1, { d: 2 }] } }, { b: { c: [1, { d: 2 }] } }, undefined],
  ['a new member', { a: 1 }, { b: 2 }, { b: 2 }],
  ['only the part of an object that differs', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  ['a list as a whole', { a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
  ['a list that is shorter', { a: [1, 2] }, { a: [1] }, { a: [1] }],
  ['undefined, which stays', { a: 1 }, { a: undefined, b: undefined }, undefined],
  ['null, which removes', { a: 1 }, { a: null }, { a: null }],
  ['null of what is not there', { a: null }, { a: null, b: null }, undefined],
  ['an object instead of a value', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['members of items that are undefined', { a: [{ b: 1 }] }, { a: [{ b: 1, c: undefined }] }, undefined],
  ['names of the prototype', {}, { constructor: 'x', toString: 'y' }, { constructor: 'x', toString: 'y' }],
  ['something where there was nothing', undefined, { a: { b: 1 } }, { a: { b: 1 } }],
])('%s', (_, current, wanted, patch) => {
  expect(mergeDiff(current, wanted)).toEqual(patch);
});

it('a member named __proto__ becomes a member', () => {
  const wanted = Object.fromEntries([['__proto__', { a: 1 }]]);
  expect(JSON.stringify(mergeDiff({}, wanted))).toBe('{"__proto__":{"a":1}}');
});
