import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../server/seeded-random.ts';
import { FAULT_TYPES, faultText, planFaults, RELAY_FAULT_TYPES, RELAYS } from './fault-plan.ts';

function texts(seed: number): string {
  return planFaults(new SeededRandom(seed), 8).map(faultText).join('\n');
}

describe('the faults of a run', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(texts(7)).toBe(texts(7));
    expect(texts(7)).not.toBe(texts(8));
  });

  it('have every type once before one comes twice', () => {
    const steps = planFaults(new SeededRandom(1), FAULT_TYPES.length);
    expect(steps.map(({ fault }) => fault.type).toSorted()).toEqual([...FAULT_TYPES].toSorted());
  });

  it('begin with one upgrade when the run begins with an earlier version, and have none otherwise', () => {
    const types = planFaults(new SeededRandom(3), 20, FAULT_TYPES, true).map(({ fault }) => fault.type);
    expect(types).toHaveLength(20);
    expect(types.indexOf('upgrade')).toBe(0);
    expect(types.lastIndexOf('upgrade')).toBe(0);
    expect(texts(3)).not.toContain('upgrade');
  });

  it('hit every relay of the chain, and no relay that is not there', () => {
    const steps = planFaults(new SeededRandom(5), 10 * RELAY_FAULT_TYPES.length, RELAY_FAULT_TYPES);
    const hit = new Set(steps.map(({ fault }) => ('index' in fault ? fault.index : undefined)));
    expect([...hit].toSorted((a = -1, b = -1) => a - b)).toEqual(Array.from({ length: RELAYS }, (_, index) => index));
  });

  it('say what they are', () => {
    expect(faultText({ fault: { type: 'delayPeer', index: 2, delayMs: 70 }, forMs: 1500 })).toBe(
      'delayPeer index=2 delayMs=70 for 1500 ms',
    );
  });
});
