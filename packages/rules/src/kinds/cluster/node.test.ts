import { describe, expect, it } from 'vitest';
import { node } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

function complaintsOf(fields: object): string {
  return complaints(node, { ...fields });
}

/** What is wrong with the features of a new node. */
function features(...declaredFeatures: readonly string[]): string {
  return complaints(node, { status: { declaredFeatures } }).replaceAll('status.declaredFeatures', '');
}

describe('a Node', () => {
  it('may bring its status along when it is created', () => {
    expect(created(node, { status: { capacity: { cpu: '4' } } })).toMatchObject({
      status: { capacity: { cpu: '4' }, allocatable: { cpu: '4' } },
    });
  });

  it('changes its status through /status only', () => {
    const old = created(node, { status: { capacity: { cpu: '4' } } });
    const wish = { ...old, spec: { unschedulable: true }, status: { capacity: { cpu: '8' } } };
    expect(node.strategy.prepareForUpdate(wish, old, 0)).toMatchObject({ spec: wish.spec, status: old['status'] });
    expect(node.strategy.prepareForStatusUpdate?.(wish, old, 0)).toMatchObject({
      spec: old['spec'],
      status: { capacity: { cpu: '8' } },
    });
  });

  it('keeps its range and its provider', () => {
    const old = created(node, { spec: { podCIDR: '10.0.0.0/24', providerID: 'x' } });
    expect(old['spec']).toEqual({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'], providerID: 'x' });
    expect(changeComplaints(node, old, { spec: { providerID: 'y', podCIDR: '10.0.0.0/24' } })).toBe(
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    );
    expect(changeComplaints(node, created(node), { spec: { providerID: 'y' } })).toBe('');
  });

  it.each([
    [{ key: 'k', effect: 'NoSchedule' }, ''],
    [{ key: 'k' }, 'metadata.taints[0].effect: Required value'],
    [
      { key: 'k', effect: 'x' },
      'metadata.taints[0].effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ])('with the taint %j is validated', (taint, expected) => {
    expect(complaints(node, { spec: { taints: [taint] } })).toBe(expected);
  });

  it('declares its features sorted and once, and keeps its old name', () => {
    expect(features('A', 'A/b', 'B')).toBe('');
    expect(features('B', 'A', 'A')).toBe(
      '[[1]: Invalid value: "A": list must be sorted alphabetically, [2]: Duplicate value: "A"]',
    );
    expect(features('a')).toContain('invalid feature name "a": must start with an UpperCamelCase segment');
    expect(changeComplaints(node, created(node), { spec: { externalID: 'x' } })).toBe(
      'spec.externalID: Forbidden: may not be updated',
    );
  });

  it('has each taint once', () => {
    const taint = { key: 'k', effect: 'NoSchedule' };
    expect(complaints(node, { spec: { taints: [taint, taint] } })).toContain(
      'taints must be unique by key and effect pair',
    );
  });

  it('shows whether it is ready and what it is for', () => {
    const labels = { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' };
    const status = {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      nodeInfo: { kubeletVersion: 'v1.36.4', kernelVersion: '6.1', architecture: 'amd64' },
    };
    const cells = node.columns.cells(created(node, { spec: { unschedulable: true }, status }, { labels }), 0);
    expect(cells).toEqual([
      'a',
      'Ready,SchedulingDisabled',
      'control-plane,worker',
      '<unknown>',
      'v1.36.4',
      '10.0.0.1',
      '<none>',
      '<unknown>',
      '6.1 (amd64)',
      '<unknown>',
    ]);
    expect(node.columns.cells(created(node), 0).slice(1, 3)).toEqual(['Unknown', '<none>']);
  });

  it('has one range of each family, and nothing negative', () => {
    expect(complaintsOf({ spec: { podCIDRs: ['10.0.0.0/24', '10.1.0.0/24'] } })).toBe(
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one CIDR for each IP family',
    );
    expect(complaintsOf({ spec: { podCIDR: 'x' } })).toMatch('must be a valid CIDR value');
    expect(complaintsOf({ status: { capacity: { cpu: '-1' }, allocatable: { cpu: '1' } } })).toBe(
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
    );
    expect(created(node, { spec: { configSource: { configMap: {} } } })['spec']).toEqual({});
  });

  it('is found by whether pods may be put on it', () => {
    expect(node.fieldsOf(created(node))).toEqual({ 'spec.unschedulable': 'false' });
  });
});
