import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const csiNode = builtInKind('storage/v1.CSINode');
const driver = { name: 'd.example.com', nodeID: 'n' };

describe('a CSINode', () => {
  it.each([
    [[driver], ''],
    [[{ name: '', nodeID: '' }], '[spec.drivers[0].name: Required value, spec.drivers[0].nodeID: Required value]'],
    [[driver, driver], 'spec.drivers[1].name: Duplicate value: "d.example.com"'],
    [
      [{ ...driver, allocatable: { count: -1 } }],
      'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
    ],
    [[{ ...driver, topologyKeys: ['k', 'k'] }], 'spec.drivers[0]: Duplicate value: "k"'],
  ])('with %j is validated', (drivers, expected) => {
    expect(complaints(csiNode, { spec: { drivers } })).toBe(expected);
  });

  it('keeps its drivers as they are, but for what they can allocate', () => {
    const old = created(csiNode, { spec: { drivers: [driver] } });
    const change = (fields: object): string =>
      changeComplaints(csiNode, old, { spec: { drivers: [{ ...driver, ...fields }] } });
    expect(change({ allocatable: { count: 3 } })).toBe('');
    expect(change({ nodeID: 'm' })).toBe(
      'spec.drivers: Invalid value: {"Name":"d.example.com","NodeID":"m","TopologyKeys":null,"Allocatable":null}: field is immutable',
    );
    expect(changeComplaints(csiNode, old, { spec: { drivers: [] } })).toBe('');
  });

  it('shows how many drivers it has', () => {
    expect(csiNode.columns.cells(created(csiNode, { spec: { drivers: [driver] } }), 0)).toEqual(['a', 1, '<unknown>']);
  });
});
