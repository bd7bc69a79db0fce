import { defined, sameJson } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';

describe('sameJson', () => {
  it.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{ a: null }, {}, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [{ a: 1 }, { a: '1' }, false],
    [[], {}, false],
  ])('compares %j and %j', (left, right, same) => {
    expect(sameJson(left, right)).toBe(same);
    expect(sameJson(right, left)).toBe(same);
  });
});

describe('defined', () => {
  it('drops what is undefined and keeps what is null', () => {
    expect(Object.keys(defined({ a: undefined, b: null, c: 0 }))).toEqual(['b', 'c']);
  });
});
