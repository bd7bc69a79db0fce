import { describe, expect, it } from 'vitest';
import { type Freshness, type FreshnessInput, newFreshness, stepFreshness } from './freshness.ts';

/** A request that came at time 0, and what happened to it, each at its time. */
function after(isSmall: boolean, ...inputs: readonly (readonly [at: number, input: FreshnessInput])[]): Freshness {
  return inputs.reduce((state, [at, input]) => stepFreshness(state, input, at, isSmall), newFreshness(0));
}

const probed = (revision: bigint, before = 0n): FreshnessInput => ({ type: 'probed', revision, before });
const reached = { type: 'reached' } as const;
const elapsed = { type: 'elapsed' } as const;
const failed = { type: 'failed', isAnswered: false } as const;

describe('a read of what is true now', () => {
  it('asks the upstream for 2.5 s at most', () => {
    expect(newFreshness(7)).toEqual({ type: 'probing', until: 2507 });
    expect(after(false, [2500, failed])).toEqual({ type: 'unproven', why: 'away' });
    expect(after(true, [2500, elapsed])).toEqual({ type: 'unproven', why: 'away' });
    expect(after(true, [10, { type: 'failed', isAnswered: true }])).toEqual({ type: 'unproven', why: 'doubt' });
  });

  it('then waits 100 ms for the feed', () => {
    expect(after(false, [10, probed(9n)])).toEqual({ type: 'waiting', revision: 9n, until: 110 });
    expect(after(false, [10, probed(9n)], [10, reached])).toEqual({ type: 'proven', revision: 9n });
  });

  it('is passed when it is small, and waits for a second watch when it is large', () => {
    expect(after(true, [10, probed(9n)], [110, elapsed])).toEqual({ type: 'unproven', why: 'quiet' });
    expect(after(false, [10, probed(9n)], [110, elapsed])).toEqual({ type: 'beating', revision: 9n, until: 2610 });
  });

  it('is proven by that watch, or by nothing', () => {
    const beating = [
      [10, probed(9n)],
      [110, elapsed],
    ] as const;
    expect(after(false, ...beating, [900, reached])).toEqual({ type: 'proven', revision: 9n });
    expect(after(false, ...beating, [2610, elapsed])).toEqual({ type: 'unproven', why: 'no proof' });
  });

  it('distrusts an upstream that is behind what it has said before', () => {
    expect(after(false, [10, probed(9n, 9n)])).toMatchObject({ type: 'waiting' });
    expect(after(false, [10, probed(8n, 9n)])).toEqual({ type: 'unproven', why: 'doubt' });
  });

  it('ends once', () => {
    const end = after(false, [10, probed(9n)], [20, reached]);
    for (const input of [probed(99n), reached, elapsed, failed]) expect(stepFreshness(end, input, 30, true)).toBe(end);
  });
});
