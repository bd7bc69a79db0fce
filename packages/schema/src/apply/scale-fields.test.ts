import { describe, expect, it } from 'vitest';
import { fieldPath } from './fields/field-set.ts';
import { scaledManagedFields, scaleManagedFields } from './scale-fields.ts';

const paths = new Map([
  ['apps/v1', fieldPath('spec', 'replicas')],
  ['apps/v2', null],
]);
const time = '2026-01-01T00:00:00Z';
const base = { operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', time } as const;
const owner = { ...base, manager: 'A', fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } };
const other = { ...base, manager: 'B', fieldsV1: { 'f:spec': { 'f:paused': {} } } };
const scaleOf = (manager: string, operation: 'Apply' | 'Update', subresource?: string) => ({
  ...base,
  manager,
  operation,
  apiVersion: 'autoscaling/v1',
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  ...(subresource === undefined ? {} : { subresource }),
});

describe('the owners of replicas', () => {
  it('are those of the Scale, in its version', () => {
    expect(scaleManagedFields([owner, other], paths)).toEqual([scaleOf('A', 'Apply')]);
    expect(scaleManagedFields([other], paths)).toBeUndefined();
    expect(scaleManagedFields(undefined, paths)).toBeUndefined();
  });

  it('lose them to the one who writes the Scale, whose entry has no time', () => {
    const scale = [scaleOf('hpa', 'Update', 'scale')];
    expect(scaledManagedFields({ managedFields: [owner, other], scale, apiVersion: 'apps/v1', paths })).toEqual([
      { ...owner, fieldsV1: { 'f:spec': { 'f:paused': {} } } },
      other,
      {
        manager: 'hpa',
        operation: 'Update',
        apiVersion: 'apps/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        subresource: 'scale',
      },
    ]);
  });

  it('stay as they are while the Scale has them', () => {
    const scale = [scaleOf('A', 'Apply')];
    expect(scaledManagedFields({ managedFields: [owner], scale, apiVersion: 'apps/v1', paths })).toEqual([owner]);
  });

  it('keep entries of versions without a scale, and drop those of unknown versions', () => {
    const [kept, dropped] = ['apps/v2', 'apps/v0'].map((apiVersion) => ({ ...owner, manager: apiVersion, apiVersion }));
    const managedFields = [kept ?? owner, dropped ?? owner];
    expect(scaledManagedFields({ managedFields, scale: undefined, apiVersion: 'apps/v1', paths })).toEqual([kept]);
  });

  it('cannot be told from entries that cannot be read', () => {
    expect(() => scaleManagedFields([{ ...owner, fieldsV1: { x: {} } }], paths)).toThrow(
      expect.objectContaining({ code: 'BAD_MANAGED_FIELDS' }),
    );
  });
});
