import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const resourceQuota = builtInKind('core/v1.ResourceQuota');
const exists = (scopeName: string) => ({ matchExpressions: [{ scopeName, operator: 'Exists' }] });

describe('a ResourceQuota', () => {
  it.each([
    ['nothing', {}, ''],
    [
      'known resources',
      {
        hard: {
          pods: '1',
          'requests.cpu': '1',
          'limits.memory': '1Gi',
          'count/jobs.batch': '2',
          'requests.example.com/gpu': '1',
          'hugepages-2Mi': '1',
        },
      },
      '',
    ],
    [
      'a negative amount',
      { hard: { pods: '-1' } },
      'spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    ['half a pod', { hard: { pods: '1.5' } }, 'spec.hard[pods]: Invalid value: "1500m": must be an integer'],
    [
      'an unknown resource',
      { hard: { foo: '1' } },
      '[spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota]',
    ],
    [
      'scopes that exclude each other',
      { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] },
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
    ],
    [
      'a scope that does not fit',
      { hard: { cpu: '1' }, scopes: ['BestEffort'] },
      'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
    ],
    [
      'an unknown scope',
      { hard: { pods: '1' }, scopes: ['X'] },
      'spec.scopes: Invalid value: ["X"]: unsupported scope',
    ],
    ['a scope that is there', { hard: { pods: '1' }, scopeSelector: exists('PriorityClass') }, ''],
    [
      'a scope without a value',
      { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } },
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
    [
      'a selected scope that does not fit',
      { hard: { services: '1' }, scopeSelector: exists('BestEffort') },
      'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"Exists","Values":null}]}: unsupported scope applied to resource',
    ],
    [
      'an unknown operator',
      { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Z' }] } },
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "Z": not a valid selector operator',
    ],
  ])('with %s is validated', (_, spec, expected) => {
    expect(complaints(resourceQuota, { spec })).toBe(expected);
  });

  it('keeps its scopes, in any order', () => {
    const spec = { hard: { pods: '1' }, scopes: ['NotBestEffort', 'Terminating'] };
    const old = created(resourceQuota, { spec });
    expect(changeComplaints(resourceQuota, old, { spec: { ...spec, scopes: ['Terminating', 'NotBestEffort'] } })).toBe(
      '',
    );
    expect(changeComplaints(resourceQuota, old, { spec: { ...spec, scopes: ['Terminating'] } })).toBe(
      'spec.scopes: Invalid value: ["Terminating"]: field is immutable',
    );
  });

  it('shows what is used, limits apart', () => {
    const status = { hard: { pods: '10', 'limits.cpu': '2', cpu: '1' }, used: { cpu: '500m' } };
    expect(resourceQuota.columns.cells({ ...created(resourceQuota), status }, 0)).toEqual([
      'a',
      'cpu: 500m/1, pods: 0/10',
      'limits.cpu: 0/2',
      '<unknown>',
    ]);
  });
});
