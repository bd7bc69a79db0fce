import { isRecord } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { SchemaSet } from '../schema-set.ts';
import { type ByteCount, canonical } from './canonical.ts';
import { DecodePlans } from './decode-plans.ts';

const set = new SchemaSet([
  {
    name: 'x/v1',
    imports: [],
    types: {
      Inner: { fields: { name: { type: 'string', always: true }, note: { type: 'string' } } },
      OrBool: { form: 'orBool', fields: { allows: { type: 'bool' }, schema: { type: 'x/v1.Inner', pointer: true } } },
      OrArray: {
        form: 'orArray',
        fields: { schema: { type: 'x/v1.Inner', pointer: true }, jSONSchemas: { list: 'x/v1.Inner' } },
      },
      Thing: {
        fields: {
          kind: { type: 'string' },
          flag: { type: 'bool' },
          maybe: { type: 'bool', pointer: true },
          count: { type: 'int32' },
          always: { type: 'time' },
          inner: { type: 'x/v1.Inner', pointer: true },
          held: { type: 'x/v1.Inner' },
          items: { list: 'x/v1.Inner' },
          demanded: { list: 'string', always: true },
          words: { map: 'string' },
          group: { type: 'string', pointer: true },
          orBool: { type: 'x/v1.OrBool', pointer: true },
          orArray: { type: 'x/v1.OrArray', pointer: true },
          empty: { type: 'x/v1.Inner', omitZero: true },
          wait: { type: 'duration', pointer: true },
        },
      },
      Tree: { fields: { name: { type: 'string' }, list: { list: 'x/v1.Tree' }, map: { map: 'x/v1.Tree' } } },
      Free: { keepsUnknown: true, fields: { b: { type: 'string' } } },
      Null: {
        fields: {
          group: { type: 'string', pointer: true, always: true },
          selector: { type: 'x/v1.Inner', pointer: true, always: true, required: true },
          amounts: { map: 'quantity', always: true },
          at: { type: 'time', omitZero: true },
        },
      },
    },
  },
]);
const plans = new DecodePlans(set);
const nulling = new DecodePlans(set, { nullsEmptyLists: (type) => type === 'x/v1.Thing' });
const THING = plans.struct('x/v1.Thing');

const EMPTY = { always: null, held: { name: '' }, demanded: null };

describe('canonical', () => {
  it('writes an empty demanded list as null where protobuf would lose it, and a full one as it is', () => {
    expect(canonical(nulling.struct('x/v1.Thing'), { demanded: [] })).toEqual(EMPTY);
    expect(canonical(nulling.struct('x/v1.Thing'), { demanded: ['a'] })).toEqual({ ...EMPTY, demanded: ['a'] });
  });

  it.each([
    ['nothing', {}, EMPTY],
    ['an unknown field', { bogus: 1 }, EMPTY],
    ['nulls', { kind: null, inner: null, items: null, words: null }, EMPTY],
    ['values that say nothing', { kind: '', flag: false, count: 0, items: [], words: {} }, EMPTY],
    ['a zero that says something', { maybe: false }, { maybe: false, ...EMPTY }],
    ['an object without its demanded field', { inner: {} }, { ...EMPTY, inner: { name: '' } }],
    ['unknown fields deep inside', { items: [{ name: 'a', x: 1 }] }, { ...EMPTY, items: [{ name: 'a' }] }],
    ['a null in a map', { words: { a: null } }, { ...EMPTY, words: { a: '' } }],
    ['an empty demanded list', { demanded: [] }, { ...EMPTY, demanded: [] }],
    ['a value of the wrong type', { items: 'x', inner: 5 }, { ...EMPTY, items: 'x', inner: 5 }],
    ['a boolean in place of a schema', { orBool: true }, { ...EMPTY, orBool: true }],
    ['a schema in place of a boolean', { orBool: { x: 1 } }, { ...EMPTY, orBool: { name: '' } }],
    ['a list of schemas', { orArray: [{ name: 'a', x: 1 }] }, { ...EMPTY, orArray: [{ name: 'a' }] }],
    ['what is no form', { orArray: 1, orBool: 1 }, { ...EMPTY, orBool: false, orArray: null }],
    ['an empty object that is left out when it is empty', { empty: { name: '', x: 1 } }, EMPTY],
    ['a duration', { wait: '90m' }, { ...EMPTY, wait: '1h30m0s' }],
    ['a name that every object inherits', { toString: 'x' }, EMPTY],
  ])('keeps what has a meaning of %s', (_, value, expected) => {
    expect(canonical(THING, value)).toEqual(expected);
  });

  it('writes fields in the order of the schema and keys of maps in their own', () => {
    const text = JSON.stringify(canonical(THING, { words: { b: '1', a: '2' }, count: 3, kind: 'Thing' }));
    expect(text).toBe(
      '{"kind":"Thing","count":3,"always":null,"held":{"name":""},"demanded":null,"words":{"a":"2","b":"1"}}',
    );
  });

  it.each([
    ['time', '2024-01-01T00:00:00+02:00', '2023-12-31T22:00:00Z'],
    ['time', '2024-01-01T00:00:00.999Z', '2024-01-01T00:00:00Z'],
    ['time', 'yesterday', 'yesterday'],
    ['microTime', '2024-01-01T00:00:00.123456+02:00', '2023-12-31T22:00:00.123456Z'],
    ['bytes', 'YWJj\r\nZGVm', 'YWJjZGVm'],
    ['quantity', 1, '1'],
    ['quantity', '1000m', '1'],
    ['string', ' as it is ', ' as it is '],
  ] as const)('writes one value of type %s in one way: %s', (type, value, expected) => {
    const plan = plans.of({ fields: { field: { type }, items: { list: type } } });
    expect(plan.is === 'struct' && canonical(plan, { field: value, items: [value] })).toEqual({
      field: expected,
      items: [expected],
    });
  });

  it('writes null for what Go writes null for, but not for a required value', () => {
    expect(canonical(plans.struct('x/v1.Null'), {})).toEqual({ group: null, amounts: null });
    expect(canonical(plans.struct('x/v1.Null'), { at: null, amounts: {} })).toEqual({ group: null, amounts: {} });
  });

  it('keeps unknown fields behind the known ones where the schema says so, whatever they are called', () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1},"c":1,"b":"y"}');
    const form = canonical(plans.struct('x/v1.Free'), isRecord(value) ? value : {});
    expect(JSON.stringify(form)).toBe('{"b":"y","__proto__":{"x":1},"c":1}');
  });

  it('asks for the room of a list before it builds it, and counts what it takes', () => {
    const asked: number[] = [];
    let taken = 0;
    const count: ByteCount = {
      take: (bytes) => {
        taken += bytes;
      },
      requireRoom: (bytes) => void asked.push(bytes),
      ofLimitedMap: () => count,
    };
    const items = Array.from({ length: 1000 }, () => ({}));
    const form = canonical(THING, { items }, count);
    expect(asked).toEqual([12_000]);
    expect(taken).toBeLessThanOrEqual(JSON.stringify(form).length);
    expect(taken).toBeGreaterThan(11_000);
  });

  it('takes what it shares with an object in canonical form as it is, and looks at the rest', () => {
    const known = canonical(THING, { kind: 'Thing', inner: { name: 'a' }, items: [{ name: 'a' }, { name: 'b' }] });
    const items = isRecord(known) && Array.isArray(known['items']) ? known['items'] : [];
    const changed = { ...known, note: 'x', items: [items[0], { name: 'c', x: 1 }], words: { b: '1', a: '2' } };
    const form = canonical(THING, changed, undefined, known);
    expect(form).toEqual(canonical(THING, changed));
    expect(form['inner']).toBe(known['inner']);
    expect(form['items']).toMatchObject([items[0], { name: 'c' }]);
  });

  it('leaves its argument as it was', () => {
    const value = { kind: '', items: [{ name: 'a', x: 1 }] };
    canonical(THING, value);
    expect(value).toEqual({ kind: '', items: [{ name: 'a', x: 1 }] });
  });
});
