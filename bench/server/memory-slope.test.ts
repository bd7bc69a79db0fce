import { describe, expect, it } from 'vitest';
import { memorySlope } from './memory-slope.ts';

describe('memorySlope', () => {
  it('is the growth of a line, whatever its height', () => {
    const samples = [0, 1, 2, 3].map((minutes) => ({ minutes, bytes: 500 + 20 * minutes }));
    expect(memorySlope(samples)).toBeCloseTo(20);
  });

  it('is 0 for what goes up and down around a level', () => {
    const samples = [0, 1, 2, 3, 4].map((minutes) => ({ minutes, bytes: 100 + (minutes % 2) * 10 }));
    expect(memorySlope(samples)).toBeCloseTo(0);
  });

  it('is 0 when there is nothing to compare', () => {
    expect(memorySlope([{ minutes: 1, bytes: 7 }])).toBe(0);
  });
});
