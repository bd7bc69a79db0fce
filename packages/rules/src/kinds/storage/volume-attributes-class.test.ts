import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const volumeAttributesClass = builtInKind('storage/v1.VolumeAttributesClass');
const fields = { driverName: 'd.example.com', parameters: { a: 'b' } };

describe('a VolumeAttributesClass', () => {
  it('has a driver and parameters', () => {
    expect(complaints(volumeAttributesClass, fields)).toBe('');
    expect(complaints(volumeAttributesClass, {})).toBe(
      '[driverName: Required value, parameters: Required value: must contain at least one key/value pair]',
    );
  });

  it('never changes', () => {
    const old = created(volumeAttributesClass, fields);
    expect(changeComplaints(volumeAttributesClass, old, { driverName: 'e', parameters: { a: 'c' } })).toBe(
      '[driverName: Forbidden: updates to driverName are forbidden., parameters: Forbidden: updates to parameters are forbidden.]',
    );
  });

  it('stays until no volume uses it', () => {
    const finalizer = 'kubernetes.io/vac-protection';
    expect(created(volumeAttributesClass, fields).metadata.finalizers).toEqual([finalizer]);
    const again = created(volumeAttributesClass, fields, { finalizers: ['x/y', finalizer] });
    expect(again.metadata.finalizers).toEqual(['x/y', finalizer]);
  });

  it('shows its driver', () => {
    expect(volumeAttributesClass.columns.cells(created(volumeAttributesClass, fields), 0)[1]).toBe('d.example.com');
  });
});
