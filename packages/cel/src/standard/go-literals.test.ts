import { describe, expect, it } from 'vitest';
import { parseDouble } from './go-literals.ts';

describe('a double as Go reads it', () => {
  it.each([
    ['1', 1],
    ['-1.5', -1.5],
    ['1.', 1],
    ['.5', 0.5],
    ['1_000.2_5e-1', 100.025],
    ['1e400', undefined],
    ['', undefined],
    ['.', undefined],
    ['1_', undefined],
    ['_1', undefined],
    ['1..2', undefined],
    ['0x1p4', 16],
    ['0x1.8p1', 3],
    ['-0x.8p0', -0.5],
    ['0xp1', undefined],
    ['0x1.', undefined],
    ['Inf', Number.POSITIVE_INFINITY],
  ])('%j is %d', (text, value) => {
    expect(parseDouble(text)).toBe(value);
  });

  // With two ways to read the same digits each of these took minutes.
  it.each(['', '0x'])('%s and 500 000 digits that are no number are refused in one go', (prefix) => {
    expect(parseDouble(`${prefix}${'1'.repeat(500_000)}x`)).toBeUndefined();
  });
});
