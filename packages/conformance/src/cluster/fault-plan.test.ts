import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../server/seeded-random.ts';
import { FAULT_TYPES, faultText, planFaults } from './fault-plan.ts';

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

  it('say what they are', () => {
    expect(faultText({ fault: { type: 'delayPeer', index: 2, delayMs: 70 }, forMs: 1500 })).toBe(
      'delayPeer index=2 delayMs=70 for 1500 ms',
    );
  });
});
