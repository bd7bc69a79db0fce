import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const resourceSlice = builtInKind('resource/v1.ResourceSlice');
const spec = { driver: 'd.example.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'n' };
const said = (device: object, more: object = {}): string =>
  complaints(resourceSlice, { spec: { ...spec, devices: [{ name: 'd', ...device }], ...more } });
const DEVICE = 'spec.devices[0]';

describe('a device of a ResourceSlice', () => {
  it.each([
    [{ 'd.example.com/model': { string: 'm' }, index: { int: 1 }, v: { version: '1.2.3-rc.1+b.2' } }, ''],
    [
      { a: { version: '1.2' } },
      `${DEVICE}.attributes[a].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0`,
    ],
    [{ a: {} }, `${DEVICE}.attributes[a]: Invalid value: "": exactly one value must be specified`],
    [{ a: { string: 'x'.repeat(65) } }, `${DEVICE}.attributes[a].string: Too long: may not be more than 64 bytes`],
    [{ '/a': { int: 1 } }, `${DEVICE}.attributes: Invalid value: "": the domain must not be empty`],
  ])('with the attributes %j is validated', (attributes, expected) => {
    expect(said({ attributes })).toBe(expected);
  });

  it('has attributes of one value each, and not too many', () => {
    expect(said({ attributes: { a: { int: 1, bool: false } } })).toMatch(
      /"IntValue":1,"BoolValue":false,.*: exactly one/,
    );
    expect(said({ attributes: { '1a': { int: 1 } } })).toContain('a valid C identifier must start with');
    const attributes = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, { int: 1 }]));
    expect(said({ attributes })).toBe(
      `${DEVICE}: Invalid value: 33: the total number of attributes and capacities must not exceed 32`,
    );
  });

  const POLICY = `${DEVICE}.capacity[m].requestPolicy`;
  it.each([
    [{ default: '1', validValues: ['1', '2'] }, ''],
    [{ validValues: ['1'] }, `${POLICY}.default: Required value: required when validValues is defined`],
    [
      { default: '1', validValues: ['2', '1'] },
      `${POLICY}.validValues[1]: Invalid value: "1": values must be sorted in ascending order`,
    ],
    [
      { default: '3', validValues: ['1'] },
      `${POLICY}.validValues: Invalid value: "3": default value is not valid according to the requestPolicy`,
    ],
    [
      { default: '1', validValues: ['1', '9'] },
      `${POLICY}.validValues[1]: Invalid value: "9": option is larger than capacity value: 8`,
    ],
    [{ default: '2', validRange: { min: '1', max: '4', step: '1' } }, ''],
    [{ default: '2', validRange: {} }, `${POLICY}.validRange.min: Required value: required when validRange is defined`],
    [
      { default: '9', validRange: { min: '1', max: '4' } },
      `${POLICY}.validRange.max: Invalid value: "9": default is more than max: 4`,
    ],
    [
      { default: '2', validRange: { min: '1', step: '2' } },
      `${POLICY}.validRange.step: Invalid value: "2": value is not a multiple of a given step (2) from (1)`,
    ],
    [
      { default: '1', validRange: { min: '1', step: '8' } },
      `${POLICY}.validRange.step: Invalid value: "8": one step 9 is larger than capacity value: 8`,
    ],
    [
      { default: '1', validRange: { min: '1', step: '0' } },
      `${POLICY}.validRange.step: Invalid value: "1": value is not a multiple of a given step (0) from (1)`,
    ],
  ])('that is shared by %j is validated', (requestPolicy, expected) => {
    const capacity = { m: { value: '8', requestPolicy } };
    expect(said({ allowMultipleAllocations: true, capacity })).toBe(expected);
  });

  it('has no policy for shares unless it is shared', () => {
    expect(said({ capacity: { m: { value: '8', requestPolicy: { default: '1' } } } })).toBe(
      `${POLICY}: Forbidden: allowMultipleAllocations must be true`,
    );
  });

  it.each([
    [{ taints: [{ key: 'k', effect: 'NoExecute' }] }, ''],
    [{ taints: [{ key: 'k' }] }, `${DEVICE}.taints[0].effect: Required value`],
    [{ consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }] }, ''],
    [{ consumesCounters: [{ counterSet: 's' }] }, `${DEVICE}.consumesCounters[0].counters: Required value`],
    [{ bindingConditions: ['a'], bindingFailureConditions: ['b'] }, ''],
    [
      { bindingConditions: ['a'] },
      `${DEVICE}.bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions`,
    ],
    [
      { bindingConditions: ['a'], bindingFailureConditions: ['a'] },
      `${DEVICE}.bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions`,
    ],
    [
      { allNodes: true },
      `${DEVICE}: Invalid value: null: \`nodeName\`, \`nodeSelector\` and \`allNodes\` can only be set if \`perDeviceNodeSelection\` is set to true in the ResourceSlice spec`,
    ],
  ])('with %j is validated', (device, expected) => {
    expect(said(device)).toBe(expected);
  });

  it('says where it is if the slice does not', () => {
    const placed = { nodeName: undefined, perDeviceNodeSelection: true };
    expect(said({ allNodes: true }, placed)).toBe('');
    expect(said({}, placed)).toContain('exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required');
    expect(said({ nodeName: 'n', allNodes: true }, placed)).toContain('"{`nodeName`, `allNodes`}"');
  });

  it('keeps taints that were valid once', () => {
    const old = created(resourceSlice, { spec: { ...spec, devices: [{ name: 'd', taints: [{ key: 'k' }] }] } });
    expect(changeComplaints(resourceSlice, old, {})).toBe('');
  });

  it('has no values in lists: their feature gate is off', () => {
    const devices = [{ name: 'd', attributes: { a: { int: 1, ints: [1] } } }];
    expect(created(resourceSlice, { spec: { ...spec, devices } })).toMatchObject({
      spec: { devices: [{ attributes: { a: { int: 1 } } }] },
    });
  });
});

function counterComplaints(sharedCounters: readonly object[]): string {
  return complaints(resourceSlice, { spec: { ...spec, sharedCounters } });
}

describe('a ResourceSlice', () => {
  it('has counters with names, or devices', () => {
    expect(counterComplaints([{ name: 's', counters: { c: { value: '1' } } }])).toBe('');
    expect(counterComplaints([{ name: 's' }])).toBe('spec.sharedCounters[0].counters: Required value');
  });

  it('selects nodes by one term', () => {
    const nodeSelector = { nodeSelectorTerms: [{}, {}] };
    expect(complaints(resourceSlice, { spec: { ...spec, nodeName: undefined, nodeSelector } })).toMatch(
      /^spec\.nodeSelector\.nodeSelectorTerms: Invalid value: .*: must have exactly one node selector term$/,
    );
  });
});
