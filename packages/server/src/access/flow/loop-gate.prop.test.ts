import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeLoop } from './fake-loop.fixture.ts';
import { LoopGate } from './loop-gate.ts';
import { LoopFlow, LoopLevel } from './loop-share.ts';

/** A flow of the model: how many stretches it keeps in the gate, what each costs, when it comes and goes. */
interface FlowPlan {
  readonly lanes: number;
  readonly costs: readonly number[];
  readonly from: number;
  readonly until: number;
}

interface LevelPlan {
  readonly weight: number;
  readonly flows: readonly FlowPlan[];
}

const WINDOW_MS = 1000;
const END_MS = 2500;
const LONGEST_MS = 4;
const ROUNDING_MS = 1e-6;

const flowPlan: fc.Arbitrary<FlowPlan> = fc.record({
  lanes: fc.integer({ min: 1, max: 4 }),
  costs: fc.array(fc.double({ min: 0.5, max: LONGEST_MS, noNaN: true }), { minLength: 1, maxLength: 5 }),
  // Most are there from the beginning to the end; others come in the middle, and leave in the middle of a window.
  from: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1200 })),
  until: fc.oneof(fc.constant(END_MS), fc.integer({ min: 1300, max: END_MS })),
});
const levelPlans: fc.Arbitrary<readonly LevelPlan[]> = fc.array(
  fc.record({
    weight: fc.integer({ min: 1, max: 100 }),
    flows: fc.array(flowPlan, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
);

interface Stretch {
  readonly flow: FlowPlan;
  readonly at: number;
  readonly ms: number;
}

/** The real gate, with lanes that ask again as soon as they have run. */
async function ran(levels: readonly LevelPlan[]): Promise<readonly Stretch[]> {
  const loop = new FakeLoop();
  const gate = new LoopGate(loop);
  const stretches: Stretch[] = [];
  const lane = (plan: FlowPlan, flow: LoopFlow, turn: number): void => {
    if (loop.now() >= plan.until) return;
    void (async () => {
      await gate.turn({ flow, spentMs: 0 });
      const ms = plan.costs[turn % plan.costs.length] ?? 1;
      stretches.push({ flow: plan, at: loop.now(), ms });
      loop.compute(ms);
      // Each stretch is that of another request: it asks while this one still holds the loop.
      lane(plan, flow, turn + 1);
    })();
  };
  for (const { weight, flows } of levels) {
    const level = new LoopLevel(weight, false);
    for (const plan of flows) {
      const flow = new LoopFlow(level);
      for (let index = 0; index < plan.lanes; index += 1) loop.arrive(plan.from, () => lane(plan, flow, index));
    }
  }
  await loop.run(END_MS);
  return stretches;
}

/** What the model grants to a flow that waits all through a window: a part of it, less so many of the longest stretches. */
interface Grant {
  readonly share: number;
  readonly stretches: number;
}

function behind(share: number, sharers: number): number {
  return share * (sharers - 1) + (1 - share);
}

/**
 * The least start runs. So a level is before the others by at most one stretch of its own, and behind them by at most one stretch
 * of each other level: `share * (levels - 1) + (1 - share)` stretches in any window. The same holds for the flows of a level, in
 * what the level has.
 */
function grantOf(levels: readonly LevelPlan[], flow: FlowPlan): Grant {
  const own = levels.find(({ flows }) => flows.includes(flow));
  if (own === undefined) throw new Error('the flow is of no level');
  const share = own.weight / levels.reduce((sum, { weight }) => sum + weight, 0);
  const inLevel = 1 / own.flows.length;
  return {
    share: share * inLevel,
    stretches: behind(share, levels.length) * inLevel + behind(inLevel, own.flows.length),
  };
}

/** What a flow has had at a time. */
function servedOf(stretches: readonly Stretch[]): (until: number) => number {
  const before: number[] = [];
  let sum = 0;
  for (const { ms } of stretches) {
    before.push(sum);
    sum += ms;
  }
  return (until) => {
    let low = 0;
    let high = stretches.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((stretches[middle]?.at ?? 0) < until) low = middle + 1;
      else high = middle;
    }
    const last = stretches[low - 1];
    return last === undefined ? 0 : (before[low - 1] ?? 0) + Math.min(last.ms, until - last.at);
  };
}

/** The windows in which the flow can have least: those that begin or end where a stretch of it does. */
function* windowsOf(flow: FlowPlan, stretches: readonly Stretch[]): Generator<number> {
  const until = Math.min(flow.until, END_MS) - WINDOW_MS;
  for (const { at, ms } of stretches) {
    for (const from of [at, at + ms, at - WINDOW_MS, at + ms - WINDOW_MS]) {
      if (from >= flow.from && from <= until) yield from;
    }
  }
}

/** Whether stretches of equal length can be ordered without end so that each level has its share of every window less one of them. */
function canBeOrdered(weights: readonly number[]): boolean {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const failed = new Set<string>();
  const path = new Set<string>();
  /** What each level is short of in its worst window that ends here, in stretches times the sum of weights. */
  const goesOn = (short: readonly number[]): boolean => {
    const key = short.join();
    if (path.has(key)) return true;
    if (failed.has(key)) return false;
    path.add(key);
    for (const runs of weights.keys()) {
      const next = short.map((one, level) => Math.max(0, one + (weights[level] ?? 0) - (level === runs ? all : 0)));
      if (next.every((one) => one <= all) && goesOn(next)) return true;
    }
    path.delete(key);
    failed.add(key);
    return false;
  };
  return goesOn(weights.map(() => 0));
}

describe('the fairness of the gate', () => {
  it('gives every backlogged flow its share of each second, less the stretches that cannot be cut', async () => {
    await fc.assert(
      fc.asyncProperty(levelPlans, async (levels) => {
        const all = await ran(levels);
        for (const flow of levels.flatMap(({ flows }) => flows)) {
          const { share, stretches } = grantOf(levels, flow);
          const own = all.filter((one) => one.flow === flow);
          const served = servedOf(own);
          const least = share * WINDOW_MS - stretches * LONGEST_MS - ROUNDING_MS;
          let worst = Number.POSITIVE_INFINITY;
          for (const from of windowsOf(flow, own)) worst = Math.min(worst, served(from + WINDOW_MS) - served(from));
          expect(worst).toBeGreaterThanOrEqual(least);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('could not grant less one stretch in any order: levels of Kubernetes with 100, 40 and 30 shares', () => {
    expect([canBeOrdered([1, 1]), canBeOrdered([100, 40, 20])]).toEqual([true, true]);
    expect([canBeOrdered([100, 40, 30]), canBeOrdered([100, 20, 5])]).toEqual([false, false]);
  });

  it('leaves nobody without a turn', async () => {
    await fc.assert(
      fc.asyncProperty(levelPlans, async (levels) => {
        const stretches = await ran(levels);
        const served = new Set(stretches.map(({ flow }) => flow));
        for (const flow of levels.flatMap(({ flows }) => flows)) {
          const grant = grantOf(levels, flow);
          if (grant.share * (flow.until - flow.from) > grant.stretches * LONGEST_MS)
            expect(served.has(flow)).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });
});
