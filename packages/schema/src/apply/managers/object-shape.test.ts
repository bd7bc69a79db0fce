import type { JsonRecord } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { SchemaSet } from '../../schema-set.ts';
import { THING } from '../apply.fixture.ts';
import type { ApplyType } from '../apply-type.ts';
import { ApplyTypes } from '../apply-types.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { trackUpdate } from '../track-update.ts';
import { objectShape } from './object-shape.ts';

const type = new ApplyTypes(new SchemaSet()).type(THING);
const ZERO = { metadata: { uid: null }, spec: { replicas: 1 } };

function contextOf(zero: JsonRecord = ZERO): OwnershipContext {
  return {
    apiVersion: 'x.io/v1',
    kind: 'Thing',
    typeOf: () => type,
    zero: () => zero,
    now: () => '2026-01-01T00:00:00Z',
  };
}

const context = contextOf();
const shapeOf = (spec: object): string | undefined => objectShape(context, type, { spec }, ZERO);
const fieldsOf = (object: JsonRecord, own = context): unknown =>
  trackUpdate(own, { live: undefined, next: object, manager: 'm' })?.[0]?.fieldsV1;

describe('the shape of an object', () => {
  it('is the same for other values of the same fields', () => {
    const one = { gmap: { a: '1' }, ml: [{ k: 'x', v: 1 }], replicas: 3 };
    const other = { gmap: { a: '2' }, ml: [{ k: 'x', v: 2 }], replicas: 4 };
    expect(shapeOf(one)).toBeDefined();
    expect(shapeOf(one)).toBe(shapeOf(other));
  });

  it.each([
    ['another name', { gmap: { a: '1' } }, { gmap: { b: '1' } }],
    ['names that look like one', { gmap: { a: '1', b: '1' } }, { gmap: { 'as1:b': '1' } }],
    ['another key of an item', { ml: [{ k: 'x' }] }, { ml: [{ k: 'y' }] }],
    ['another item of a set', { set: ['a'] }, { set: ['b'] }],
    ['an item twice', { set: ['a'] }, { set: ['a', 'a'] }],
    ['a value of another type', { flag: true }, { flag: 'true' }],
    ['another type in an atomic list', { alist: ['a'] }, { alist: [1] }],
    ['null', { flag: null }, { flag: true }],
    ['what it started with', { replicas: 1 }, { replicas: 2 }],
    ['an empty list', { alist: [] }, { alist: {} }],
  ])('differs for %s', (_, one, other) => {
    expect(shapeOf(one)).not.toBe(shapeOf(other));
  });

  it('differs for another endpoint and for another type', () => {
    const object = { spec: { replicas: 2 } };
    expect(objectShape(contextOf(), type, object, ZERO)).not.toBe(objectShape(context, type, object, ZERO));
    expect(objectShape(context, { ...type }, object, ZERO)).not.toBe(objectShape(context, type, object, ZERO));
    expect(objectShape(context, type, object, ZERO)).toBe(objectShape(context, type, object, ZERO));
  });

  it('has all keys of an item that has several', () => {
    const text: ApplyType = { scalar: 'string', list: undefined, map: undefined };
    const fields = new Map(['a', 'b'].map((name) => [name, { type: text, default: undefined }]));
    const map = { isAtomic: false, fields, element: undefined, isDeduced: false };
    const item: ApplyType = { scalar: undefined, list: undefined, map };
    const list: ApplyType = { scalar: undefined, list: { isAtomic: false, item, keys: ['a', 'b'] }, map: undefined };
    const holder = new Map([['l', { type: list, default: undefined }]]);
    const own: ApplyType = { scalar: undefined, list: undefined, map: { ...map, fields: holder } };
    const shape = (b: string) => objectShape(context, own, { l: [{ a: 'x', b }] }, {});
    expect(shape('y')).toBeDefined();
    expect(shape('y')).not.toBe(shape('z'));
  });

  it('is undefined for items without keys and for large objects', () => {
    expect(shapeOf({ ml: [{ v: 1 }] })).toBeUndefined();
    expect(shapeOf({ alist: Array.from({ length: 20_000 }, () => 'a') })).toBeUndefined();
  });
});

describe('a creation', () => {
  it('owns what it sets beyond what every object starts with, however often its shape was seen', () => {
    const expected = { 'f:spec': { 'f:gmap': { '.': {}, 'f:a': {} }, 'f:replicas': {} } };
    for (const value of ['1', '2', '3'])
      expect(fieldsOf({ spec: { gmap: { a: value }, replicas: 2 } })).toEqual(expected);
    expect(fieldsOf({ spec: { gmap: { a: '4' }, replicas: 1 } })).toEqual({
      'f:spec': { 'f:gmap': { '.': {}, 'f:a': {} } },
    });
  });

  it('of another kind does not get the fields of this one', () => {
    const object = { spec: { gmap: { a: '1' }, replicas: 2 } };
    fieldsOf(object);
    expect(fieldsOf(object, contextOf({ spec: { gmap: { a: '1' } } }))).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });

  it('that does not fit is not tracked, also after one that fits', () => {
    expect(fieldsOf({ spec: { flag: true } })).toBeDefined();
    expect(fieldsOf({ spec: { flag: 'true' } })).toBeUndefined();
    expect(fieldsOf({ spec: { flag: 'true' } })).toBeUndefined();
  });
});
