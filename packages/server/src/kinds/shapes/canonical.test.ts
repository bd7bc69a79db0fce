import { describe, expect, it } from 'vitest';
import { canonical } from './canonical.ts';
import { list, map, type StructShape, struct } from './shape.ts';

const INNER = struct('Inner', { name: 'string!', note: 'string' });
const SHAPE: StructShape = struct('Thing', {
  kind: 'string',
  flag: 'bool',
  maybe: '*bool',
  count: 'int32',
  always: 'time!',
  inner: INNER,
  held: { ...INNER, always: true },
  items: list(INNER),
  demanded: list('string', { always: true }),
  words: map('string'),
});

const EMPTY = { always: null, held: { name: '' }, demanded: null };

describe('canonical', () => {
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
    ['a name that every object inherits', { toString: 'x' }, EMPTY],
  ])('keeps what has a meaning of %s', (_, value, expected) => {
    expect(canonical(SHAPE, value)).toEqual(expected);
  });

  it('writes fields in the order of the shape and keys of maps in their own', () => {
    const text = JSON.stringify(canonical(SHAPE, { words: { b: '1', a: '2' }, count: 3, kind: 'Thing' }));
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
    expect(canonical(struct('X', { field: type, items: list(type) }), { field: value, items: [value] })).toEqual({
      field: expected,
      items: [expected],
    });
  });

  it('leaves its argument as it was', () => {
    const value = { kind: '', items: [{ name: 'a', x: 1 }] };
    canonical(SHAPE, value);
    expect(value).toEqual({ kind: '', items: [{ name: 'a', x: 1 }] });
  });
});
