import { expect, it } from 'vitest';
import { goWord } from './answered-status.ts';

it.each<readonly [value: unknown, word: string]>([
  [null, 'null'],
  [[], 'array'],
  [{}, 'object'],
  ['a', 'string'],
  [true, 'bool'],
  [false, 'bool'],
  [5, 'number'],
  [2_147_483_647, 'number'],
  [2_147_483_648, 'number 2147483648'],
  [-2_147_483_648, 'number'],
  [-2_147_483_649, 'number -2147483649'],
  [1.5, 'number 1.5'],
  [9_007_199_254_740_993n, 'number 9007199254740993'],
])('what Go cannot read in the answer of a webhook has its word: case %#', (value, word) => {
  expect(goWord(value)).toBe(word);
});
