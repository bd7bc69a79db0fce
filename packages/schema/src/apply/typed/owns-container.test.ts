import { expect, it } from 'vitest';
import { SchemaSet } from '../../schema-set.ts';
import { THING } from '../apply.fixture.ts';
import type { ApplyType } from '../apply-type.ts';
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

it('the owner of a map or a list within an item, which is not looked for in its list', () => {
  const text = { scalar: 'string', list: undefined, map: undefined } as const;
  const struct = (fields: Readonly<Record<string, ApplyType>>): ApplyType => ({
    scalar: undefined,
    list: undefined,
    map: {
      isAtomic: false,
      fields: new Map(Object.entries(fields).map(([name, inner]) => [name, { type: inner, default: undefined }])),
      element: undefined,
      isDeduced: false,
    },
  });
  const item = struct({
    name: text,
    args: { scalar: undefined, list: { isAtomic: false, item: text, keys: [] }, map: undefined },
  });
  const list: ApplyType = { scalar: undefined, list: { isAtomic: false, item, keys: ['name'] }, map: undefined };
  const owned = (below: object) => readFields({ 'k:{"name":"a"}': below }) ?? expect.fail('the set cannot be read');
  const value = [{ name: 'a', args: ['x'] }];
  expect(ownsContainer(value, owned({ 'f:name': {} }), list)).toBe(false);
  expect(ownsContainer(value, owned({ 'f:name': {}, 'f:args': {} }), list)).toBe(true);
  expect(ownsContainer(value, owned({ 'f:name': {}, 'f:args': { 'v:"x"': {} } }), list)).toBe(false);
});
