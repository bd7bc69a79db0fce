import { expect, it } from 'vitest';
import { SimulatedCores, SimulatedLoop, SimulatedTime } from './simulated-time.ts';
import { treeCosts } from './tree-costs.ts';
import { simulateTree, type TreePlan } from './tree-model.ts';

const costs = treeCosts('h2', 1000, 1600);
const PLAN: TreePlan = {
  levels: [2, 4],
  followers: 4000,
  rate: 10,
  changeBytes: 1645,
  listBytes: 1_600_000,
  costs,
  link: { ms: 1, bytesPerMs: 1_250_000 },
  seconds: 5,
};
const CHANGES = PLAN.rate * PLAN.seconds;

it('things happen in their order, and those of one moment in the order in which they were planned', () => {
  const time = new SimulatedTime();
  const told: string[] = [];
  for (const [ms, name] of [
    [5, 'e'],
    [1, 'a'],
    [3, 'c'],
    [1, 'b'],
    [3, 'd'],
  ] as const) {
    time.at(ms, () => told.push(`${name}${time.now}`));
  }
  time.run(4);
  expect(told).toEqual(['a1', 'b1', 'c3', 'd3']);
  expect(time.now).toBe(4);
  time.run(10);
  expect(told.at(-1)).toBe('e5');
});

it('a loop does one job at a time, and a core one loop at a time', () => {
  const time = new SimulatedTime();
  const cores = new SimulatedCores(time, 1);
  const loops = [new SimulatedLoop(cores), new SimulatedLoop(cores)];
  const ends: number[] = [];
  for (const loop of loops) for (let i = 0; i < 2; i += 1) loop.push(10, () => ends.push(time.now));
  time.run(1000);
  expect(ends).toEqual([10, 20, 30, 40]);
  expect(loops.map(({ spentMs }) => spentMs)).toEqual([20, 20]);
});

it('every follower gets every change once', () => {
  const { delivered, latencies, relists } = simulateTree(PLAN);
  expect(delivered).toBe(PLAN.followers * CHANGES);
  expect(latencies.count).toBe(delivered);
  expect(relists).toBe(0);
});

it('CPU and latency are those of the arithmetic', () => {
  const { leafCores, latencies } = simulateTree(PLAN);
  const round = ((PLAN.followers / 4) * (costs.flush + costs.event)) / 1000;
  const idle = ((PLAN.followers / 4) * costs.idleWatch) / 1e6;
  expect(leafCores).toBeCloseTo((PLAN.rate * (round + costs.apply / 1000)) / 1000 + idle, 2);
  // Three lines, two relays that take it, and the round to the followers.
  const least = 3 * PLAN.link.ms + (2 * costs.apply) / 1000;
  expect(latencies.percentile(1)).toBeGreaterThan(least + round);
  expect(latencies.percentile(1)).toBeLessThan(least + round + 1);
});

it('a relay that has too much to do delivers several changes in one write, later', () => {
  const busy = simulateTree({ ...PLAN, levels: [1], followers: 20_000, rate: 50 });
  expect(busy.delivered).toBe(20_000 * 50 * PLAN.seconds);
  expect(busy.leafCores).toBeLessThan(1);
  expect(busy.latencies.percentile(0.5)).toBeGreaterThan(50);
});

it.each([
  ['a leaf dies', 0],
  ['a top relay dies', 0],
  ['a leaf is cut off for 10 s', 0],
  ['the upstream is away for 10 s', 0],
  ['all leaves start anew', 0],
  ['410 everywhere', 4000],
] as const)('when %s, nobody misses a change, and %i followers list again', (fault, relists) => {
  const result = simulateTree({ ...PLAN, fault });
  expect(result.relists).toBe(relists);
  expect(result.resumedMs).toBeGreaterThan(0);
  // Those who list again have the changes of the meantime from their list.
  if (relists === 0) expect(Math.abs(result.delivered - PLAN.followers * CHANGES)).toBeLessThan(CHANGES);
  else expect(result.delivered).toBeLessThanOrEqual(PLAN.followers * CHANGES);
});

it('rights that change cost a review for each user of each leaf', () => {
  const { upstreamRequests, resumedMs } = simulateTree({ ...PLAN, usersPerLeaf: 100, fault: 'rights change' });
  expect(upstreamRequests).toBe(4 * 100);
  expect(resumedMs).toBeCloseTo((400 * costs.review) / 1000 + 4, 0);
});
