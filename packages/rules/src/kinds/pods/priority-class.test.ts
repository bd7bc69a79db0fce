import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const priorityClass = builtInKind('scheduling/v1.PriorityClass');

describe('a PriorityClass', () => {
  it.each([
    [{ value: 1_000_000_000 }, {}, ''],
    [{ value: 1_000_000_001 }, {}, 'value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
    [
      { value: 1, preemptionPolicy: 'X' },
      {},
      'preemptionPolicy: Unsupported value: "X": supported values: "PreemptLowerPriority", "Never"',
    ],
    [{ value: 2_000_001_000 }, { name: 'system-node-critical' }, ''],
    [
      { value: 1 },
      { name: 'system-node-critical' },
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
    ],
    [
      { value: 1 },
      { name: 'system-x' },
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
    ],
  ])('%j called %j is validated', (fields, metadata, expected) => {
    expect(complaints(priorityClass, fields, metadata)).toBe(expected);
  });

  it('keeps its value and its policy, and its generation', () => {
    const old = created(priorityClass, { value: 1 });
    expect(old['preemptionPolicy']).toBe('PreemptLowerPriority');
    expect(changeComplaints(priorityClass, old, { value: 2, preemptionPolicy: 'Never' })).toBe(
      '[value: Forbidden: may not be changed in an update., preemptionPolicy: Invalid value: "Never": field is immutable]',
    );
    expect(priorityClass.strategy.raisesGeneration?.({ ...old, description: 'd' }, old)).toBe(false);
  });

  it('shows its value and its policy', () => {
    const cells = ['a', 7, true, '<unknown>', 'PreemptLowerPriority'];
    const object = created(priorityClass, { value: 7, globalDefault: true });
    expect(priorityClass.columns.cells(object, 0)).toEqual(cells);
  });
});
