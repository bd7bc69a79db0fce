import { describe, expect, it } from 'vitest';
import { lease } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

describe('a Lease', () => {
  it.each([
    [{ holderIdentity: 'x', leaseDurationSeconds: 15 }, ''],
    [{ leaseDurationSeconds: 0 }, 'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
    [{ leaseTransitions: -1 }, 'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0'],
  ])('with %j is validated', (spec, expected) => {
    expect(complaints(lease, { spec })).toBe(expected);
  });

  it('has no fields of coordinated elections: their feature gate is off', () => {
    const spec = { holderIdentity: 'x', strategy: 'y', preferredHolder: 'z' };
    expect(created(lease, { spec })['spec']).toEqual({ holderIdentity: 'x' });
  });

  it('keeps a holder that has let go', () => {
    expect(created(lease, { spec: { holderIdentity: '' } })).toMatchObject({ spec: { holderIdentity: '' } });
  });

  it('is replaced only by those who know its version, and made by those who do not find it', () => {
    expect(lease.strategy).toMatchObject({ allowsUnconditionalUpdate: false, allowsCreateOnUpdate: true });
  });

  it('has no generation and shows its holder', () => {
    expect(lease.strategy.raisesGeneration).toBeUndefined();
    expect(lease.columns.cells(created(lease, { spec: { holderIdentity: 'me' } }), 0)).toEqual([
      'a',
      'me',
      '<unknown>',
    ]);
  });
});
