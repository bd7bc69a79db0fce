import { expect, it } from 'vitest';
import type { ApplyField, ApplyType } from '../apply-type.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { readFields } from '../fields/fields-v1.ts';
import { reconciledFields } from './reconciled-fields.ts';

function mapOf(fields: Readonly<Record<string, ApplyType>>, isAtomic = false): ApplyType {
  const known = new Map(
    Object.entries(fields).map(([name, type]): [string, ApplyField] => [name, { type, default: undefined }]),
  );
  return { scalar: undefined, list: undefined, map: { isAtomic, fields: known, element: undefined, isDeduced: false } };
}

function setOf(fields: object): FieldSet {
  return readFields(fields) ?? expect.fail('the set cannot be read');
}

const NOW_WHOLE = mapOf({ a: mapOf({}, true), '0': mapOf({}, true) });

it('what was owned below a value that is owned as a whole now becomes the value', () => {
  const fields = setOf({ 'f:a': { 'f:b': {} }, 'f:c': {} });
  expect(reconciledFields(fields, NOW_WHOLE).print()).toEqual({ 'f:a': {}, 'f:c': {} });
  expect(fields.print()).toEqual({ 'f:a': { 'f:b': {} }, 'f:c': {} });
});

it('the index of an item is no field, and a set that fits stays itself', () => {
  const items = setOf({ 'i:0': { 'f:b': {} } });
  expect(reconciledFields(items, NOW_WHOLE)).toBe(items);
  const part = setOf({ 'f:a': { 'f:b': {} } });
  expect(reconciledFields(part, mapOf({ a: mapOf({}) }))).toBe(part);
});
