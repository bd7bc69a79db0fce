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
/** A stretch cannot be cut: one of somebody else may run first in each of the two layers. */
const STRETCHES = 2;
const ROUNDING_MS = 1e-6;

const flowPlan: fc.Arbitrary<FlowPlan> = fc.record({
  lanes: fc.integer({ min: 1, max: 4 }),
  costs: fc.array(fc.double({ min: 0.5, max: LONGEST_MS, noNaN: true }), { minLength: 1, maxLength: 5 }),
  from: fc.constantFrom(0, 0, 0, 300, 900),
  until: fc.constantFrom(END_MS, END_MS, 1400),
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

/** The least that the model grants to a flow which waits all through the window, before anything is taken off. */
function shareOf(levels: readonly LevelPlan[], flow: FlowPlan): number {
  const own = levels.find(({ flows }) => flows.includes(flow));
  const weights = levels.reduce((sum, { weight }) => sum + weight, 0);
  return own === undefined ? 0 : own.weight / weights / own.flows.length;
}

describe('the fairness of the gate', () => {
  it('gives every backlogged flow its share of each second, less the stretches that cannot be cut', async () => {
    await fc.assert(
      fc.asyncProperty(levelPlans, fc.integer({ min: 0, max: END_MS - WINDOW_MS }), async (levels, from) => {
        const stretches = await ran(levels);
        const until = from + WINDOW_MS;
        for (const flow of levels.flatMap(({ flows }) => flows)) {
          if (flow.from > from || flow.until < until) continue;
          const got = stretches
            .filter((one) => one.flow === flow)
            .reduce((sum, { at, ms }) => sum + Math.max(0, Math.min(until, at + ms) - Math.max(from, at)), 0);
          const least = shareOf(levels, flow) * WINDOW_MS - STRETCHES * LONGEST_MS;
          expect(got).toBeGreaterThanOrEqual(least - ROUNDING_MS);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('leaves nobody without a turn', async () => {
    await fc.assert(
      fc.asyncProperty(levelPlans, async (levels) => {
        const stretches = await ran(levels);
        const served = new Set(stretches.map(({ flow }) => flow));
        for (const flow of levels.flatMap(({ flows }) => flows)) {
          if (shareOf(levels, flow) * (flow.until - flow.from) > STRETCHES * LONGEST_MS)
            expect(served.has(flow)).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });
});
