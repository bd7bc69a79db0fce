import { expect, it } from 'vitest';
import { SchemaSet } from '../../schema-set.ts';
import { THING } from '../apply.fixture.ts';
import type { ApplyField, ApplyType } from '../apply-type.ts';
import { ApplyTypes } from '../apply-types.ts';
import { readFields } from '../fields/fields-v1.ts';
import { ownsContainer } from './owns-container.ts';

const type = new ApplyTypes(new SchemaSet()).type(THING);

function owns(spec: object, fields: object): boolean {
  const set = readFields({ 'f:spec': fields });
  return set === undefined ? expect.fail('the set cannot be read') : ownsContainer({ spec }, set, type);
}

it.each([
  ['a map that has members', { gmap: { a: '1' } }, { 'f:gmap': {} }, true],
  ['a map that is empty', { gmap: {} }, { 'f:gmap': {} }, false],
  ['a list that has items', { set: ['a'] }, { 'f:set': {} }, true],
  ['a list that is empty', { set: [] }, { 'f:set': {} }, false],
  ['a map that is owned as a whole', { amap: { a: '1' } }, { 'f:amap': {} }, false],
  ['a list that is owned as a whole', { alist: ['a'] }, { 'f:alist': {} }, false],
  ['a scalar', { replicas: 1 }, { 'f:replicas': {} }, false],
  ['a part of a map', { gmap: { a: '1' } }, { 'f:gmap': { 'f:a': {} } }, false],
  ['what is not there', {}, { 'f:gmap': {} }, false],
  ['an item without its parts', { ml: [{ k: 'a' }] }, { 'f:ml': { 'k:{"k":"a"}': {} } }, true],
  ['scalars of an item', { ml: [{ k: 'a', v: 1 }] }, { 'f:ml': { 'k:{"k":"a"}': { 'f:k': {}, 'f:v': {} } } }, false],
])('the owner of %s', (_, spec, fields, expected) => {
  expect(owns(spec, fields)).toBe(expected);
});

const TEXT: ApplyType = { scalar: 'string', list: undefined, map: undefined };

function struct(fields: Readonly<Record<string, ApplyType>>): ApplyType {
  const known = new Map(
    Object.entries(fields).map(([name, inner]): [string, ApplyField] => [name, { type: inner, default: undefined }]),
  );
  return {
    scalar: undefined,
    list: undefined,
    map: { isAtomic: false, fields: known, element: undefined, isDeduced: false },
  };
}

function listOf(item: ApplyType, keys: readonly string[]): ApplyType {
  return { scalar: undefined, list: { isAtomic: false, item, keys }, map: undefined };
}

it.each([
  ['its name', { 'f:name': {} }, false],
  ['a list in it', { 'f:name': {}, 'f:args': {} }, true],
  ['an item of that list', { 'f:name': {}, 'f:args': { 'v:"x"': {} } }, false],
])('the owner of %s of an item, which is not looked for in its list', (_, below, expected) => {
  const items = listOf(struct({ name: TEXT, args: listOf(TEXT, []) }), ['name']);
  const set = readFields({ 'k:{"name":"a"}': below }) ?? expect.fail('the set cannot be read');
  expect(ownsContainer([{ name: 'a', args: ['x'] }], set, items)).toBe(expected);
});
