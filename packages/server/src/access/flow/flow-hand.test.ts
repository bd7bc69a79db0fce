import { describe, expect, it } from 'vitest';
import { dealHand, flowHash } from './flow-hand.ts';

describe('the hand of a flow', () => {
  it('is the one that kube-apiserver deals', () => {
    expect(dealHand(flowHash('global-default', 'u1'), 128, 6)).toEqual([57, 82, 97, 13, 36, 8]);
  });

  it('has different queues, whatever the hash', () => {
    for (const hash of [0n, 1n, 2n ** 64n - 1n, 0x0123456789abcdefn]) {
      const hand = dealHand(hash, 8, 8);
      expect(hand.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    }
  });

  it('differs by schema and distinguisher', () => {
    expect(flowHash('a', 'b')).not.toBe(flowHash('ab', ''));
  });
});
