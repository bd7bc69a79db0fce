import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const resourceSlice = builtInKind('resource/v1.ResourceSlice');
const spec = { driver: 'd.example.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'n' };
const ONE_OF = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

describe('a ResourceSlice', () => {
  it.each([
    [{}, ''],
    [{ driver: '' }, 'spec.driver: Required value'],
    [{ nodeName: undefined }, `spec: Required value: ${ONE_OF}`],
    [{ allNodes: true }, `spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${ONE_OF}, but multiple fields are set`],
    [{ allNodes: false }, 'spec.allNodes: Invalid value: false: must be either unset or set to true'],
    [
      { pool: { ...spec.pool, resourceSliceCount: 0 } },
      'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
    ],
    [{ devices: [{ name: 'g' }, { name: 'g' }] }, 'spec.devices[1]: Duplicate value: "g"'],
    [
      { devices: Array.from({ length: 129 }, (_, index) => ({ name: `g${index}` })) },
      'spec.devices: Too many: 129: must have at most 128 items',
    ],
    [
      { devices: Array.from({ length: 65 }, (_, index) => ({ name: `g${index}`, taints: [{ key: 'k' }] })) },
      'spec.devices: Too many: 65: must have at most 64 items',
    ],
  ])('%# is validated', (fields, expected) => {
    expect(complaints(resourceSlice, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('dates the taints of its devices', () => {
    const devices = [{ name: 'g', taints: [{ key: 'k', effect: 'NoSchedule' }] }];
    const object = created(resourceSlice, { spec: { ...spec, devices } });
    expect(object).toMatchObject({
      spec: { devices: [{ taints: [{ timeAdded: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) }] }] },
    });
    expect(resourceSlice.strategy.prepareForUpdate(object, object, 0)).toEqual(object);
  });

  it('stays with its driver, its pool and its node', () => {
    const old = created(resourceSlice, { spec });
    expect(changeComplaints(resourceSlice, old, { spec: { ...spec, driver: 'e.example.com', nodeName: 'm' } })).toBe(
      '[spec.driver: Invalid value: "e.example.com": field is immutable, spec.nodeName: Invalid value: "m": field is immutable]',
    );
  });

  it('shows its node, driver and pool, and is selected by them', () => {
    const object = created(resourceSlice, { spec });
    expect(resourceSlice.columns.cells(object, 0)).toEqual(['a', 'n', 'd.example.com', 'p', '<unknown>']);
    expect(() => resourceSlice.resolveField('spec.nope', '1')).toThrow(
      'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.nope',
    );
    expect(resourceSlice.fieldsOf(object)).toEqual({ 'spec.driver': 'd.example.com', 'spec.nodeName': 'n' });
  });
});
