import { describe, expect, test } from 'vitest';
import { firstValue, parseBoolean, parseQuery } from './query.ts';

describe('reading a query string', () => {
  test.each<[string, [string, string[]][]]>([
    ['', []],
    ['?', []],
    [
      'a=1&b=2',
      [
        ['a', ['1']],
        ['b', ['2']],
      ],
    ],
    ['?a=1&a=2', [['a', ['1', '2']]]],
    ['a', [['a', ['']]]],
    ['a=&&', [['a', ['']]]],
    ['=x', [['', ['x']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['a=x+y%20z', [['a', ['x y z']]]],
    ['%61=%C3%A9', [['a', ['é']]]],
    ['a=1;b=2&c=3', [['c', ['3']]]],
    ['a=1%3B2', [['a', ['1;2']]]],
    ['a=%zz&b=%&c=3', [['c', ['3']]]],
  ])('%j', (query, entries) => {
    expect([...parseQuery(query)]).toEqual(entries);
  });

  test('the first value of a parameter is the one that counts', () => {
    const query = parseQuery('a=1&a=2');
    expect(firstValue(query, 'a')).toBe('1');
    expect(firstValue(query, 'b')).toBeUndefined();
  });
});

describe('booleans', () => {
  test.each([
    [undefined, false],
    ['0', false],
    ['false', false],
    ['FALSE', false],
    ['False', false],
    ['', true],
    ['1', true],
    ['true', true],
    ['no', true],
    ['yes', true],
    ['00', true],
    [' false', true],
  ])('%j is %s', (value, truth) => {
    expect(parseBoolean(value)).toBe(truth);
  });
});
