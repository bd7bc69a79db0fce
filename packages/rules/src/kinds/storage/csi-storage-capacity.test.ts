import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const csiStorageCapacity = builtInKind('storage/v1.CSIStorageCapacity');

describe('a CSIStorageCapacity', () => {
  it('has a class and no capacity below zero', () => {
    expect(complaints(csiStorageCapacity, { storageClassName: 'x', capacity: '1Gi' })).toBe('');
    expect(complaints(csiStorageCapacity, { storageClassName: 'x', capacity: '-1' })).toBe(
      'capacity: Invalid value: "-1": must be greater than or equal to 0',
    );
    expect(complaints(csiStorageCapacity, {})).toMatch(/^storageClassName: Invalid value: "": a lowercase RFC 1123/);
  });

  it('keeps its class and its place', () => {
    const old = created(csiStorageCapacity, { storageClassName: 'x' });
    expect(changeComplaints(csiStorageCapacity, old, { capacity: '2Gi' })).toBe('');
    const change = { storageClassName: 'y', nodeTopology: { matchLabels: { a: 'b' } } };
    expect(changeComplaints(csiStorageCapacity, old, change)).toBe(
      '[nodeTopology: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable, storageClassName: Invalid value: "y": field is immutable]',
    );
  });
});
