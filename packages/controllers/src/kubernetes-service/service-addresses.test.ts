import { expect, it } from 'vitest';
import { hasSameFields } from './service-addresses.ts';

it('objects are the same whatever the order of their fields, at every depth; the order of lists counts', () => {
  expect(
    hasSameFields({ a: 1, b: { c: [{ d: 1, e: null }], f: 2 } }, { b: { f: 2, c: [{ e: null, d: 1 }] }, a: 1 }),
  ).toBe(true);
  expect(hasSameFields({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  expect(hasSameFields({ a: null }, { a: {} })).toBe(false);
  expect(hasSameFields(undefined, {})).toBe(false);
});
