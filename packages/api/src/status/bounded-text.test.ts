import { describe, expect, test } from 'vitest';
import { cutText, jsonCut, quoteCut } from './bounded-text.ts';

describe('text of a limited length', () => {
  test('text that fits stays as it is', () => {
    expect(cutText('abc', 3)).toBe('abc');
    expect(quoteCut('a"c', 3)).toBe('"a\\"c"');
  });

  test('longer text ends in three dots, behind the quotes if it has any', () => {
    expect(cutText('abcd', 3)).toBe('abc...');
    expect(quoteCut('abcd', 3)).toBe('"abc"...');
  });

  test('a surrogate pair is not cut in two', () => {
    expect(cutText('ab\u{1f600}', 3)).toBe('ab...');
    expect(quoteCut('ab\u{1f600}c', 4)).toBe('"ab\u{1f600}"...');
  });
});

describe('JSON of a limited length', () => {
  test.each<[unknown]>([
    [{ a: 1, b: [true, null, 'x"y', {}], c: undefined, 'k"': [] }],
    [[undefined, 1.5]],
    ['text'],
    [null],
    [new Date(0)],
  ])('JSON that fits is that of JSON.stringify: %j', (value) => {
    expect(jsonCut(value, 1000)).toBe(JSON.stringify(value));
  });

  test('a value without JSON is null, and a bigint its digits', () => {
    expect(jsonCut(undefined, 100)).toBe('null');
    expect(jsonCut({ a: 2n ** 63n }, 100)).toBe('{"a":9223372036854775808}');
  });

  test('longer JSON is cut and ends in three dots', () => {
    expect(jsonCut([1, 2, 3, 4, 5], 5)).toBe('[1,2,...');
    expect(jsonCut({ name: 'x'.repeat(100) }, 12)).toBe('{"name":"xxx...');
    expect(jsonCut({ ['k'.repeat(100)]: 1 }, 5)).toBe('{"kkk...');
  });

  test('of a huge value no more is visited than is printed', () => {
    let visits = 0;
    const item = { toJSON: () => (visits += 1) };
    expect(
      jsonCut(
        Array.from({ length: 100_000 }, () => item),
        50,
      ),
    ).toHaveLength(53);
    expect(visits).toBeLessThan(100);
  });

  test('deep nesting is cut, not a stack overflow', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(jsonCut(deep, 1000)).toBe(`${'['.repeat(1000)}...`);
  });
});
