import { describe, expect, it } from 'vitest';
import { afterRejection, NO_REJECTIONS } from './retry-after.ts';

describe('Retry-After of a level', () => {
  it('doubles while rejections go on: 1, 2, 4, 8, 16, 32', () => {
    let state = NO_REJECTIONS;
    const seen: number[] = [];
    for (let second = 1000; second < 1070; second += 1) {
      for (let count = 0; count < 100; count += 1) state = afterRejection(state, second);
      seen.push(state.seconds);
    }
    const firstAt = (seconds: number): number => seen.indexOf(seconds);
    expect([1, 2, 4, 8, 16, 32].map(firstAt)).toEqual([0, 1, 3, 7, 15, 31]);
    expect(Math.max(...seen)).toBe(32);
    expect(state.counts.length).toBeLessThanOrEqual(33);
  });

  it('falls by one a second when there are few', () => {
    let state = NO_REJECTIONS;
    for (let second = 1000; second < 1008; second += 1) {
      for (let count = 0; count < 100; count += 1) state = afterRejection(state, second);
    }
    expect(state.seconds).toBe(8);
    state = afterRejection(state, 1100);
    expect(state.seconds).toBe(7);
    state = afterRejection(state, 1101);
    expect(state.seconds).toBe(6);
  });
});
