import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema.ts';
import { SchemaSet } from '../schema-set.ts';
import { DEDUCED, UNTYPED } from './any-type.ts';
import type { ApplyType } from './apply-type.ts';
import { ApplyTypes } from './apply-types.ts';

const typeOf = (schema: Schema): ApplyType => new ApplyTypes(new SchemaSet()).type(schema);
const fieldOf = (type: ApplyType | undefined, name: string): ApplyType | undefined => type?.map?.fields.get(name)?.type;

describe('the type of apply', () => {
  it.each([
    ['bool', 'boolean'],
    ['bytes', 'string'],
    ['duration', 'string'],
    ['float64', 'numeric'],
    ['int32', 'numeric'],
    ['int64', 'numeric'],
    ['microTime', 'untyped'],
    ['quantity', 'untyped'],
    ['string', 'string'],
    ['time', 'untyped'],
  ] as const)('of %s is a scalar that is %s', (type, scalar) => {
    expect(typeOf({ type })).toEqual({ scalar, list: undefined, map: undefined });
  });

  it.each([
    ['any', DEDUCED],
    ['intOrString', DEDUCED],
    ['json', DEDUCED],
    ['rawExtension', UNTYPED],
  ] as const)('of %s is one that every value fits', (type, expected) => {
    expect(typeOf({ type })).toBe(expected);
  });

  it.each([
    [undefined, 'string'],
    ['', 'string'],
    ['byte', 'string'],
    ['date-time', 'untyped'],
  ])('of a text with the format %j is %s', (format, scalar) => {
    expect(typeOf({ type: 'string', validation: format === undefined ? {} : { format } }).scalar).toBe(scalar);
  });

  it('of a list is owned as a whole unless it says otherwise; only one with keys has them', () => {
    const item = { fields: { k: { type: 'string' } } } as const;
    expect(typeOf({ list: 'string' }).list).toMatchObject({ isAtomic: true, keys: [], item: { scalar: 'string' } });
    expect(typeOf({ list: 'string', listType: 'set' }).list).toMatchObject({ isAtomic: false, keys: [] });
    expect(typeOf({ list: item, listType: 'map', keys: ['k'] }).list).toMatchObject({ isAtomic: false, keys: ['k'] });
    expect(typeOf({ list: item, listType: 'atomic', keys: ['k'] }).list).toMatchObject({ isAtomic: true, keys: [] });
  });

  it('of a map knows no fields, and nothing of its members when these may be anything', () => {
    const texts = typeOf({ map: 'string' }).map;
    expect(texts).toMatchObject({ isAtomic: false, isDeduced: false, element: { scalar: 'string' } });
    expect(texts?.fields.get('a')).toBeUndefined();
    expect(typeOf({ map: 'string', mapType: 'atomic' }).map?.isAtomic).toBe(true);
    expect(typeOf({ map: { type: 'json' } }).map?.isDeduced).toBe(true);
  });

  it('of a struct has its fields, each made once, and no others', () => {
    const type = typeOf({ fields: { a: { type: 'string' }, b: { type: 'int64', default: 7 } } });
    expect(type.map).toMatchObject({ isAtomic: false, isDeduced: false, element: undefined });
    expect([fieldOf(type, 'a')?.scalar, fieldOf(type, 'b')?.scalar]).toEqual(['string', 'numeric']);
    expect(type.map?.fields.get('a')).toBe(type.map?.fields.get('a'));
    expect(fieldOf(type, 'a')).toBe(fieldOf(type, 'a'));
    expect([type.map?.fields.get('a')?.default, type.map?.fields.get('b')?.default]).toEqual([undefined, 7]);
    for (const name of ['c', 'constructor', '__proto__']) expect(type.map?.fields.get(name)).toBeUndefined();
    expect(Array.from(type.map?.fields.values() ?? [], ({ default: own }) => own)).toEqual([undefined, 7]);
    expect(typeOf({ fields: { a: { type: 'string' } }, mapType: 'atomic' }).map?.isAtomic).toBe(true);
  });

  it('of a struct without fields says nothing of its members', () => {
    expect(typeOf({ fields: {} }).map).toMatchObject({ isDeduced: true, element: DEDUCED });
  });

  it('of a struct that keeps unknown fields does so at every depth below it', () => {
    const inner = { fields: { c: { type: 'string' } } } as const;
    const type = typeOf({ fields: { a: { ...inner, keepsUnknown: true }, b: inner, d: { list: inner } } });
    expect(fieldOf(type, 'a')?.map?.element).toBe(DEDUCED);
    expect(fieldOf(type, 'b')?.map?.element).toBeUndefined();
    const keeps = typeOf({ fields: { b: inner, d: { list: inner } }, keepsUnknown: true });
    expect([keeps.map?.element, keeps.map?.isDeduced]).toEqual([DEDUCED, false]);
    expect(fieldOf(keeps, 'b')?.map?.element).toBe(DEDUCED);
    expect(fieldOf(keeps, 'd')?.list?.item.map?.element).toBe(DEDUCED);
  });

  it('is made once for each schema', () => {
    const types = new ApplyTypes(new SchemaSet());
    const schema = { fields: { a: { type: 'string' } } } as const;
    expect(types.type(schema)).toBe(types.type(schema));
    expect(types.type({ ...schema })).not.toBe(types.type(schema));
  });
});
