import { describe, expect, it } from 'vitest';
import { SchemaSet } from '../../schema-set.ts';
import { THING } from '../apply.fixture.ts';
import { ApplyTypes } from '../apply-types.ts';
import { readFields } from '../fields/fields-v1.ts';
import { extractFields } from './extract-fields.ts';
import { fieldSetOf } from './field-set-of.ts';
import { removeFields } from './remove-fields.ts';

const type = new ApplyTypes(new SchemaSet()).type(THING);

type Use = typeof extractFields;

/** The spec that is left of a spec, for a set that has these fields of it; undefined when there is none. */
function left(use: Use, spec: object, fields: object): unknown {
  const set = readFields({ 'f:spec': fields });
  if (set === undefined) return expect.fail('the set cannot be read');
  const found = use({ spec }, set, type);
  return typeof found === 'object' && found !== null && 'spec' in found ? found.spec : found;
}

const ITEM_A = { 'k:{"k":"a"}': { '.': {}, 'f:k': {}, 'f:v': {} } };

/** What is taken out of a spec, and what stays when it is removed. */
const rows: readonly (readonly [string, object, object, unknown, unknown])[] = [
  ['a scalar', { replicas: 1, flag: true }, { 'f:replicas': {} }, { replicas: 1 }, { flag: true }],
  ['nothing', { replicas: 1 }, { 'f:flag': {} }, null, { replicas: 1 }],
  ['everything', { replicas: 1, flag: true }, { 'f:replicas': {}, 'f:flag': {} }, { replicas: 1, flag: true }, null],
  [
    'an entry of a map',
    { gmap: { a: '1', b: '2' } },
    { 'f:gmap': { 'f:a': {} } },
    { gmap: { a: '1' } },
    { gmap: { b: '2' } },
  ],
  ['all entries of a map', { gmap: { a: '1' } }, { 'f:gmap': { 'f:a': {} } }, { gmap: { a: '1' } }, { gmap: null }],
  ['a map as a whole', { gmap: { a: '1' } }, { 'f:gmap': {} }, { gmap: null }, null],
  ['an empty map', { gmap: {} }, { 'f:gmap': {} }, { gmap: {} }, null],
  ['an atomic map', { amap: { a: '1' }, flag: true }, { 'f:amap': {} }, { amap: { a: '1' } }, { flag: true }],
  ['an atomic list', { alist: ['a'], flag: true }, { 'f:alist': {} }, { alist: ['a'] }, { flag: true }],
  ['below an atomic map', { amap: { a: '1' } }, { 'f:amap': { 'f:a': {} } }, { amap: { a: '1' } }, { amap: null }],
  ['below an atomic list', { alist: ['a'] }, { 'f:alist': { 'v:"a"': {} } }, { alist: ['a'] }, { alist: null }],
  ['an item of a set', { set: ['a', 'b'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['a'] }, { set: ['b'] }],
  ['all items of a set', { set: ['a'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['a'] }, { set: null }],
  ['no item of a set', { set: ['a'] }, { 'f:set': { 'v:"b"': {} } }, { set: null }, { set: ['a'] }],
  [
    'an item of a list with keys',
    { ml: [{ k: 'a', v: 1 }, { k: 'b' }] },
    { 'f:ml': ITEM_A },
    { ml: [{ k: 'a', v: 1 }] },
    { ml: [{ k: 'b' }] },
  ],
  [
    'a part of an item',
    { ml: [{ k: 'a', v: 1, w: 2 }] },
    { 'f:ml': { 'k:{"k":"a"}': { 'f:v': {} } } },
    { ml: [{ v: 1 }] },
    { ml: [{ k: 'a', w: 2 }] },
  ],
  [
    'an item as a whole',
    { ml: [{ k: 'a', v: 1 }] },
    { 'f:ml': { 'k:{"k":"a"}': {} } },
    { ml: [{ k: 'a', v: 1 }] },
    { ml: null },
  ],
  ['a null that stands for a list', { set: null, flag: true }, { 'f:set': {} }, { set: null }, { flag: true }],
  ['below a null that stands for a list', { set: null }, { 'f:set': { 'v:"a"': {} } }, { set: null }, { set: null }],
  ['below a null that stands for a map', { gmap: null }, { 'f:gmap': { 'f:a': {} } }, { gmap: null }, { gmap: null }],
  ['a scalar where a map should be', { gmap: 'x' }, { 'f:gmap': { 'f:a': {} } }, { gmap: null }, { gmap: null }],
  ['a scalar where a list should be', { set: 'x' }, { 'f:set': { 'v:"a"': {} } }, { set: null }, { set: null }],
  ['a field that nobody knows', { other: 1, flag: true }, { 'f:other': {} }, null, { flag: true }],
  [
    'below an object without a type',
    { free: { a: { b: 1, c: 2 } } },
    { 'f:free': { 'f:a': { 'f:b': {} } } },
    { free: { a: { b: 1 } } },
    { free: { a: { c: 2 } } },
  ],
];

describe('the fields of a set', () => {
  it.each(rows)('that has %s are taken out of a value', (_, spec, fields, extracted) => {
    expect(left(extractFields, spec, fields)).toEqual(extracted);
  });

  it.each(rows)('that has %s are removed from a value, which stays as it is', (_, spec, fields, __, rest) => {
    const before = structuredClone(spec);
    expect(left(removeFields, spec, fields)).toEqual(rest);
    expect(spec).toEqual(before);
  });

  it('that has nothing of a value leave the value itself', () => {
    const object = { spec: { ml: [{ k: 'a', v: 1 }], gmap: { a: '1' }, set: ['a'] } };
    const fields = {
      'f:ml': { 'k:{"k":"b"}': {}, 'k:{"k":"a"}': { 'f:w': {} } },
      'f:gmap': { 'f:b': {} },
      'f:set': { 'v:"b"': {} },
    };
    const set = readFields({ 'f:spec': fields });
    if (set === undefined) return expect.unreachable();
    expect(removeFields(object, set, type)).toBe(object);
  });
});

describe('the field set of a value', () => {
  it.each([
    ['scalars', { replicas: 1, size: '1Gi', port: 'a' }, { 'f:replicas': {}, 'f:size': {}, 'f:port': {} }],
    ['a map', { gmap: { b: '2', a: '1' } }, { 'f:gmap': { 'f:a': {}, 'f:b': {} } }],
    ['an empty map', { gmap: {}, free: {} }, { 'f:gmap': {}, 'f:free': {} }],
    ['an empty list', { set: [], alist: [] }, { 'f:alist': {} }],
    ['a map as a whole', { amap: { a: '1' }, astruct: { a: 1 } }, { 'f:amap': {}, 'f:astruct': {} }],
    ['a list as a whole', { alist: ['a'] }, { 'f:alist': {} }],
    ['a set', { set: ['b', 'a'] }, { 'f:set': { 'v:"a"': {}, 'v:"b"': {} } }],
    ['items with keys', { ml: [{ k: 'a', v: 1 }] }, { 'f:ml': ITEM_A }],
    [
      'an item twice',
      {
        ml: [
          { k: 'a', v: 1 },
          { k: 'a', w: 1 },
        ],
      },
      { 'f:ml': { 'k:{"k":"a"}': {} } },
    ],
    [
      'an item with a default in its key',
      { ml2: [{ k: 'a' }] },
      { 'f:ml2': { 'k:{"k":"a","p":"TCP"}': { '.': {}, 'f:k': {} } } },
    ],
    [
      'nulls',
      { replicas: null, gmap: null, set: null, amap: null },
      { 'f:replicas': {}, 'f:gmap': {}, 'f:set': {}, 'f:amap': {} },
    ],
    ['objects in a map', { nest: { x: { a: 1 }, y: {} } }, { 'f:nest': { 'f:x': { '.': {}, 'f:a': {} }, 'f:y': {} } }],
    ['what has no type', { free: { a: { b: 1 }, l: [1] } }, { 'f:free': { 'f:a': { '.': {}, 'f:b': {} }, 'f:l': {} } }],
    ['what nobody knows', { other: 1, flag: true }, { 'f:flag': {} }],
    ['undefined', { replicas: undefined, flag: true }, { 'f:flag': {} }],
  ])('of %s', (_, spec, fields) => {
    expect(fieldSetOf({ spec }, type).print()).toEqual({ 'f:spec': fields });
  });
});
