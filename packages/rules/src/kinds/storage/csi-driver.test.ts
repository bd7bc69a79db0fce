import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const csiDriver = builtInKind('storage/v1.CSIDriver');

describe('a CSIDriver', () => {
  it('that says nothing gets all defaults', () => {
    expect(created(csiDriver, {})['spec']).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      volumeLifecycleModes: ['Persistent'],
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      requiresRepublish: false,
      seLinuxMount: false,
    });
  });

  it.each([
    [{ tokenRequests: [{ audience: 'a', expirationSeconds: 600 }] }, ''],
    [
      { fsGroupPolicy: 'X' },
      'spec.fsGroupPolicy: Unsupported value: "X": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    ],
    [
      { volumeLifecycleModes: ['Y'] },
      'spec.volumeLifecycleModes: Unsupported value: "Y": supported values: "Persistent", "Ephemeral"',
    ],
    [
      { tokenRequests: [{ audience: 'a', expirationSeconds: 1 }, { audience: 'a' }] },
      '[spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes, spec.tokenRequests[1].audience: Duplicate value: "a"]',
    ],
    [
      { serviceAccountTokenInSecrets: true },
      'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    ],
  ])('with %j is validated', (spec, expected) => {
    expect(complaints(csiDriver, { spec })).toBe(expected);
  });

  it('keeps how volumes are attached', () => {
    const old = created(csiDriver, {});
    expect(changeComplaints(csiDriver, old, { spec: { attachRequired: false } })).toBe(
      'spec.attachedRequired: Invalid value: false: field is immutable',
    );
  });

  it('has a generation from its first change on, and is replaced only by those who know its version', () => {
    const old = created(csiDriver, {});
    const { prepareForUpdate, raisesGeneration, allowsUnconditionalUpdate } = csiDriver.strategy;
    expect(prepareForUpdate(old, old, 0).metadata.generation).toBeUndefined();
    expect(prepareForUpdate({ ...old, spec: { podInfoOnMount: true } }, old, 0).metadata.generation).toBe(1);
    expect([raisesGeneration, allowsUnconditionalUpdate]).toEqual([undefined, false]);
  });

  it('shows what it needs', () => {
    const object = created(csiDriver, { spec: { tokenRequests: [{ audience: 'a' }, { audience: 'b' }] } });
    expect(csiDriver.columns.cells(object, 0).slice(1, -1)).toEqual([true, false, false, 'a,b', false, 'Persistent']);
    expect(csiDriver.columns.cells(created(csiDriver, {}), 0)[4]).toBe('<unset>');
  });
});
