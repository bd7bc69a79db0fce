import { describe, expect, it } from 'vitest';
import { DemandMeter } from './demand-meter.ts';
import { allocateSeats, type LevelShares, type SeatClaim, seatBounds, smoothedDemand } from './seat-limits.ts';

const level = (shares: number, lendablePercent = 0): LevelShares => ({
  isExempt: false,
  shares,
  lendablePercent,
  borrowingLimitPercent: undefined,
});

/** The levels that every cluster has. */
const SUGGESTED: ReadonlyMap<string, LevelShares> = new Map([
  ['system', level(30, 33)],
  ['node-high', level(40, 25)],
  ['leader-election', level(10)],
  ['workload-high', level(40, 50)],
  ['workload-low', level(100, 90)],
  ['global-default', level(20, 50)],
  ['catch-all', level(5)],
  ['exempt', { isExempt: true, shares: 0, lendablePercent: 0, borrowingLimitPercent: undefined }],
]);

function claims(
  total: number,
  wants: Readonly<Record<string, { readonly highest: number; readonly smoothed: number }>> = {},
): ReadonlyMap<string, SeatClaim> {
  const bounds = seatBounds(SUGGESTED, total);
  return new Map(
    [...bounds].map(([name, one]) => [
      name,
      { isExempt: name === 'exempt', bounds: one, ...(wants[name] ?? { highest: 0, smoothed: 0 }) },
    ]),
  );
}

describe('the seats of levels', () => {
  it('are those of kube-apiserver for 600 requests', () => {
    const found = Object.fromEntries([...seatBounds(SUGGESTED, 600)].map(([name, b]) => [name, [b.nominal, b.lower]]));
    expect(found).toEqual({
      system: [74, 50],
      'node-high': [98, 73],
      'leader-election': [25, 25],
      'workload-high': [98, 49],
      'workload-low': [245, 24],
      'global-default': [49, 24],
      'catch-all': [13, 13],
      exempt: [0, 0],
    });
  });

  it('are three each for two more levels with one share', () => {
    const bounds = seatBounds(new Map([...SUGGESTED, ['one', level(1)], ['two', level(1)]]), 600);
    expect([bounds.get('one')?.nominal, bounds.get('two')?.nominal]).toEqual([3, 3]);
  });

  it('spread over idle levels as in kube-apiserver', () => {
    expect(Object.fromEntries(allocateSeats(claims(600)).limits)).toEqual({
      'catch-all': 30,
      'leader-election': 58,
      system: 117,
      'node-high': 170,
      'workload-high': 114,
      'workload-low': 56,
      'global-default': 56,
      exempt: 0,
    });
  });

  it('go to the level that wants them, never above its upper limit', () => {
    const bounded = new Map(claims(600, { 'global-default': { highest: 500, smoothed: 500 } }));
    const free = allocateSeats(bounded).limits.get('global-default') ?? 0;
    expect(free).toBeGreaterThan(200);
    const claim = bounded.get('global-default');
    if (claim !== undefined) bounded.set('global-default', { ...claim, bounds: { ...claim.bounds, upper: 60 } });
    expect(allocateSeats(bounded).limits.get('global-default')).toBe(60);
  });

  it('fall to the lower limits when exempt requests use all', () => {
    const { limits } = allocateSeats(claims(600, { exempt: { highest: 10_000, smoothed: 0 } }));
    expect([limits.get('exempt'), limits.get('system')]).toEqual([10_000, 50]);
  });

  it("are nobody's when no level has a share", () => {
    expect(seatBounds(new Map([['a', level(0)]]), 600).get('a')?.nominal).toBe(0);
  });
});

describe('the demand of a level', () => {
  it('is averaged by time', () => {
    const meter = new DemandMeter(0);
    meter.set(10, 5000);
    expect(meter.take(10_000)).toEqual({ average: 5, deviation: 5, highest: 10 });
    expect(meter.take(20_000)).toEqual({ average: 10, deviation: 0, highest: 10 });
  });

  it('rises at once and falls by half in five minutes', () => {
    const none = { average: 0, deviation: 0, highest: 0 };
    let smoothed = smoothedDemand(0, { average: 80, deviation: 20, highest: 100 });
    expect(smoothed).toBe(100);
    for (let period = 0; period < 30; period += 1) smoothed = smoothedDemand(smoothed, none);
    expect(smoothed).toBeGreaterThan(48);
    expect(smoothed).toBeLessThan(52);
  });
});
