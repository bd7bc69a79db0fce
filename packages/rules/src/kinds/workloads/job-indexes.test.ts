import { describe, expect, it } from 'vitest';
import { indexesProblem, overlapOf } from './job-indexes.ts';

describe('a list of indexes', () => {
  it.each([
    ['', 0],
    ['0', 1],
    ['0-2,4', 4],
  ])('%j has %d', (text, total) => {
    expect(indexesProblem(text, 5)).toEqual({ problem: undefined, total });
  });

  it.each([
    ['x', 'cannot convert string to integer for index: "x"'],
    ['5', 'too large index: "5"'],
    ['1-9', 'too large index: "9"'],
    ['2-1', 'non-increasing order, previous: 2, current: 1'],
    ['1,0', 'non-increasing order, previous: 1, current: 0'],
    [
      '1-2-3',
      `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
  ])('%j has a problem', (text, problem) => {
    expect(indexesProblem(text, 5)).toEqual({ problem, total: 0 });
  });

  it.each([
    ['0-2', '1', 1],
    ['1', '0-2', 1],
    ['0,4-6,8', '1-3,7', undefined],
    ['0,4-6,8', '1-3,6-7', 6],
    ['', '1', undefined],
    ['x,1', '1', 1],
  ])('%j and %j share %s', (one, other, index) => {
    expect(overlapOf(one, other, 10)).toBe(index);
  });
});
