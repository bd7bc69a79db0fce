import { fieldErrorsText } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const budget = builtInKind('policy/v1.PodDisruptionBudget');

describe('a PodDisruptionBudget', () => {
  it.each([
    ['nothing', {}, ''],
    ['a share', { minAvailable: '50%' }, ''],
    [
      'both limits',
      { minAvailable: '1%', maxUnavailable: 1, selector: {} },
      'spec: Invalid value: {"MinAvailable":"1%","Selector":{},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
    [
      'more than all',
      { minAvailable: '101%' },
      'spec.minAvailable: Invalid value: "101%": must not be greater than 100%',
    ],
    [
      'fewer than none',
      { maxUnavailable: -1 },
      'spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'an unknown policy',
      { unhealthyPodEvictionPolicy: 'Y' },
      'spec.unhealthyPodEvictionPolicy: Unsupported value: "Y": supported values: "AlwaysAllow", "IfHealthyBudget"',
    ],
    [
      'an unknown operator',
      { selector: { matchExpressions: [{ key: 'a', operator: 'X' }] } },
      'spec.selector.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
    ],
  ])('with %s is validated', (_, spec, expected) => {
    expect(complaints(budget, { spec })).toBe(expected);
  });

  it('has conditions as all kinds have them', () => {
    const status = {
      conditions: [
        { type: 'A', status: 'True', reason: '-' },
        { type: 'A', status: 'X', reason: 'R' },
      ],
    };
    const text = fieldErrorsText(
      budget.strategy.validate({ ...created(budget), status }, created(budget), 'status').errors,
    );
    expect(text).toContain('status.conditions[0].lastTransitionTime: Required value');
    expect(text).toContain('status.conditions[0].reason: Invalid value: "-": a condition reason must start with');
    expect(text).toContain('status.conditions[1].type: Duplicate value: "A"');
    expect(text).toContain('status.conditions[1].status: Unsupported value: "X"');
  });

  it('is not replaced without its version', () => {
    expect(budget.strategy.allowsUnconditionalUpdate).toBe(false);
  });

  it('shows how many pods may go', () => {
    const object = { ...created(budget, { spec: { maxUnavailable: 2 } }), status: { disruptionsAllowed: 1 } };
    expect(budget.columns.cells(object, 0)).toEqual(['a', 'N/A', '2', 1, '<unknown>']);
  });
});
