import { expect, it } from 'vitest';
import type { ApplyType } from '../apply-type.ts';
import { mergeTyped } from './merge-typed.ts';

const TEXT: ApplyType = { scalar: 'string', list: undefined, map: undefined };
const MAP: ApplyType = {
  scalar: undefined,
  list: undefined,
  map: { isAtomic: false, fields: new Map(), element: TEXT, isDeduced: false },
};
const SET: ApplyType = { scalar: undefined, list: { isAtomic: false, item: TEXT, keys: [] }, map: undefined };

it.each([
  ['null', null, { a: '1' }, { a: '1' }],
  ['an empty object', {}, { a: '1' }, { a: '1' }],
  ['another member', { b: '2' }, { a: '1' }, { a: '1', b: '2' }],
  ['a list, as before a change of the schema', ['x'], { a: '1' }, { a: '1' }],
])('members applied to %s', (_, live, config, expected) => {
  expect(mergeTyped(live, config, MAP)).toEqual(expected);
});

it('what stays is the stored value itself', () => {
  const live = { a: '1' };
  expect(mergeTyped(live, { a: '1' }, MAP)).toBe(live);
  expect(mergeTyped(live, {}, MAP)).toBe(live);
  expect(mergeTyped(live, undefined, MAP)).toBe(live);
  expect(mergeTyped(undefined, live, MAP)).toBe(live);
});

it.each([
  ['null', null, ['a'], ['a']],
  ['an empty list', [], ['a'], ['a']],
  ['other items', ['b'], ['a'], ['b', 'a']],
])('items applied to %s', (_, live, config, expected) => {
  const merged = mergeTyped(live, config, SET);
  expect(merged).toHaveLength(expected.length);
  expect(merged).toEqual(expect.arrayContaining(expected));
});
