import { describe, expect, it, test } from 'vitest';
import { limitsOf, type Machine, mostOf, predict, type Workload, within } from './capacity-model.ts';
import { knownUnitCosts } from './known-unit-costs.ts';
import type { UnitCosts } from './unit-costs.ts';

/** Round numbers, so that results can be worked out by hand. */
const COSTS: UnitCosts = {
  baseBytes: 50e6,
  objectBytes: { fixed: 1000, perByte: 1 },
  changeBytes: 200,
  connectionBytes: { h1: 50_000, h2: 100_000 },
  watcherBytes: { h1: 5000, h2: 4000 },
  idleWatcherMicros: 1,
  writeMicros: { fixed: 100, perByte: 0.1 },
  patchMicros: { fixed: 200, perByte: 0.1 },
  aloneMicros: 50,
  applyMicros: 30,
  delivery: {
    h1: { flush: 10, event: { fixed: 1, perByte: 0.001 } },
    h2: { flush: 5, event: { fixed: 1, perByte: 0.001 } },
  },
  listMicros: { fixed: 100, perByte: 0.001 },
  loadMicros: 20,
};

const NOTHING: Workload = { objects: 0, objectBytes: 1000, transport: 'h1', followers: 0, selectors: 0, writes: 0 };

const MACHINE: Machine = { cores: 1, memoryBytes: 1e9, networkBytes: 125e6, storeWrites: 5000 };

describe('CPU', () => {
  test.each<[string, Partial<Workload>, number]>([
    ['nothing to do', {}, 0],
    ['writes that nobody sees', { writes: 100 }, 100 * (200e-6 + 0.98 * 50e-6)],
    ['writes that share commits', { writes: 1000 }, 1000 * 200e-6 + 500 * 0.8 * 50e-6],
    ['more writes than one core takes', { writes: 10_000 }, 10_000 * 200e-6],
    ['patches', { writes: 100, write: 'patch' }, 100 * (300e-6 + 0.97 * 50e-6)],
    ['writes through other servers', { writes: 100, ownShare: 0.25 }, 25 * (200e-6 + 0.995 * 50e-6) + 75 * 30e-6],
    ['idle watchers', { followers: 1000, selectors: 1000 }, 2000e-6],
    [
      'followers that see each write by itself',
      { followers: 100, writes: 10 },
      100e-6 + 10 * (200e-6 + (0.998 - 0.0121) * 50e-6) + 100 * 10 * 12e-6,
    ],
    [
      'selectors of which one sees a write',
      { selectors: 5000, writes: 10 },
      5000e-6 + 10 * (200e-6 + (0.998 - 0.00512) * 50e-6) + 10 * 12e-6,
    ],
    [
      'selectors of which three see a write',
      { selectors: 5, selectedPerWrite: 3, writes: 1 },
      5e-6 + 200e-6 + (0.9998 - 41e-6) * 50e-6 + 36e-6,
    ],
    ['lists of all objects', { objects: 1000, lists: 2 }, 2 * (100e-6 + 1e6 * 0.001e-6)],
    ['lists of some objects', { objects: 1000, lists: 2, objectsPerList: 100 }, 2 * (100e-6 + 1e5 * 0.001e-6)],
  ])('%s', (_, part, cores) => {
    expect(predict({ ...NOTHING, ...part }, COSTS).cores.all).toBeCloseTo(cores, 9);
  });

  it('is the sum of its parts', () => {
    const { all, ...parts } = predict(
      { ...NOTHING, objects: 9, followers: 9, selectors: 9, writes: 9, lists: 9 },
      COSTS,
    ).cores;
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(all, 12);
  });
});

describe('rounds', () => {
  it('each write is a round while a round and its rest fit between two writes', () => {
    const { rounds, eventsPerRound, roundMs } = predict({ ...NOTHING, followers: 500, writes: 50 }, COSTS);
    expect([rounds, eventsPerRound]).toEqual([50, 1]);
    expect(roundMs).toBeCloseTo(500 * 0.012, 9);
  });

  it('rounds become fuller, not more, when writes come faster', () => {
    const slow = predict({ ...NOTHING, followers: 500, writes: 100 }, COSTS);
    const fast = predict({ ...NOTHING, followers: 500, writes: 200 }, COSTS);
    expect(fast.rounds).toBeLessThan(slow.rounds);
    expect(fast.eventsPerRound).toBeGreaterThan(2 * slow.eventsPerRound);
    // Rounds and rests fill the second, so sending takes half of it.
    expect(fast.cores.followers).toBeCloseTo(0.5, 9);
  });

  it('the rest after a long round is bounded, so that sending may take more than half', () => {
    const { cores, rounds } = predict({ ...NOTHING, followers: 20_000, writes: 20 }, COSTS);
    // Events alone take 0.8 s of a second. A round takes 0.2 s to begin, and rests 0.05 s.
    expect(rounds).toBeCloseTo((1 - 0.8) / 0.25, 9);
    expect(cores.followers).toBeGreaterThan(0.8);
  });

  it('more followers than a core can serve are more than a core, not fewer', () => {
    expect(predict({ ...NOTHING, followers: 100_000, writes: 100 }, COSTS).cores.all).toBeGreaterThan(1);
  });
});

describe('memory', () => {
  test.each<[string, Partial<Workload>, number]>([
    ['an empty server', {}, 0],
    ['objects', { objects: 1000 }, 1000 * 2000],
    ['watchers with a connection each', { followers: 10, selectors: 10 }, 20 * 55_000],
    ['watchers that share connections', { transport: 'h2', selectors: 250 }, 250 * 4000 + 3 * 100_000],
    ['HTTP/2 with one watch on a connection', { transport: 'h2', selectors: 2, watchesPerConnection: 1 }, 2 * 104_000],
    ['a window of the first changes', { writes: 10, seconds: 3 }, 30 * 2200],
    ['a window that is full', { writes: 10 }, 800 * 2200],
    ['a window that may not grow', { writes: 5000, objectBytes: 0 }, 102_400 * 1200],
    ['a window at its limit of bytes', { writes: 5000 }, 102_400 * 2200],
    ['a window of large objects', { writes: 5000, objectBytes: 1e6 }, 256 * 2 ** 20],
  ])('%s', (_, part, bytes) => {
    expect(predict({ ...NOTHING, ...part }, COSTS).memoryBytes.all).toBeCloseTo(50e6 + bytes, 3);
  });
});

it('the network carries every delivery, list and answer', () => {
  const workload = { ...NOTHING, objects: 10, followers: 100, selectors: 100, writes: 10, lists: 1 };
  expect(predict(workload, COSTS).networkBytes).toBeCloseTo(10 * 101 * 1045 + 10 * 1000 + 10 * 1000, 6);
});

describe('limits', () => {
  test.each<[keyof Machine, Partial<Workload>]>([
    ['cores', { followers: 3000, writes: 10 }],
    ['memoryBytes', { objects: 400_000 }],
    ['networkBytes', { objects: 10_000, objectBytes: 10_000, lists: 1.5 }],
    ['storeWrites', { writes: 6000, objectBytes: 100, ownShare: 0 }],
  ])('%s can come first', (first, part) => {
    const workload = { ...NOTHING, ...part };
    const limits = limitsOf(predict(workload, COSTS), workload.writes, MACHINE);
    expect(limits.first).toBe(first);
  });

  it('the most that a machine carries fits, and one more does not', () => {
    const workload = { ...NOTHING, writes: 50 };
    const most = mostOf('followers', workload, COSTS, within(MACHINE, 0.7));
    const shareOf = (followers: number): number => {
      const { first, shares } = limitsOf(predict({ ...workload, followers }, COSTS), 50, MACHINE);
      return shares[first];
    };
    expect(shareOf(most)).toBeLessThanOrEqual(0.7);
    expect(shareOf(most + 1)).toBeGreaterThan(0.7);
  });

  it('latency can be the limit: more watchers make longer rounds', () => {
    const workload = { ...NOTHING, writes: 1 };
    expect(mostOf('followers', workload, COSTS, ({ roundMs }) => roundMs <= 12)).toBe(1000);
  });

  it('is none when the rest alone is too much', () => {
    expect(mostOf('followers', { ...NOTHING, objects: 1e9 }, COSTS, within(MACHINE))).toBe(0);
  });
});

test.each<[string, Partial<Workload>]>([
  ['writes', { writes: -1 }],
  ['objects', { objects: Number.NaN }],
  ['ownShare', { ownShare: 2 }],
  ['watchesPerConnection', { watchesPerConnection: 0 }],
])('a workload with an impossible %s is refused by name', (name, part) => {
  expect(() => predict({ ...NOTHING, ...part }, COSTS)).toThrow(new RegExp(name, 'u'));
});

test.each(['lmdb', 'etcd'] as const)('the unit costs kept for %s are complete', (engine) => {
  const kept = knownUnitCosts()[engine];
  const leaves = (value: unknown, path: string): readonly string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, part]) => leaves(part, `${path}.${name}`))
      : [`${path} ${typeof value}`];
  expect(leaves(kept, '').toSorted()).toEqual(leaves(COSTS, '').toSorted());
});
