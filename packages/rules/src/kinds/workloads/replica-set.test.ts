import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const replicaSet = builtInKind('apps/v1.ReplicaSet');
const replicationController = builtInKind('core/v1.ReplicationController');
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: labels }, template };

describe('a ReplicaSet', () => {
  it('that says least wants one pod', () => {
    const object = created(replicaSet, { spec, status: { replicas: 3 } });
    expect(object).toMatchObject({ spec: { replicas: 1, template: { spec: { restartPolicy: 'Always' } } } });
    expect(object['status']).toEqual({ replicas: 0 });
  });

  it.each([
    ['nothing wrong', {}, ''],
    [
      'no selector',
      { selector: undefined },
      '[spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`]',
    ],
    [
      'a selector of everything',
      { selector: {} },
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    ],
    [
      'an operator without values',
      { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } },
      "[spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn', " +
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"In"}]}: invalid label selector]',
    ],
    [
      'negative numbers',
      { replicas: -1, minReadySeconds: -2 },
      '[spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0]',
    ],
    [
      'pods that end',
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } } },
      '[spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always", ' +
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported]',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(replicaSet, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('keeps its selector', () => {
    const more = { app: 'web', tier: 'front' };
    const changed = { selector: { matchLabels: more }, template: { ...template, metadata: { labels: more } } };
    expect(changeComplaints(replicaSet, created(replicaSet, { spec }), { spec: changed })).toBe(
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable',
    );
  });

  it('has counts in its status that fit each other', () => {
    const old = created(replicaSet, { spec });
    const status = { replicas: 1, readyReplicas: 2, fullyLabeledReplicas: -1, availableReplicas: 3 };
    const errors = replicaSet.strategy
      .validate({ ...old, status }, old, 'status')
      .errors.map(({ field, detail }) => [field, detail]);
    expect(errors).toEqual([
      ['status.fullyLabeledReplicas', 'must be greater than or equal to 0'],
      ['status.readyReplicas', 'cannot be greater than status.replicas'],
      ['status.availableReplicas', 'cannot be greater than status.replicas'],
      ['status.availableReplicas', 'cannot be greater than readyReplicas'],
    ]);
  });

  it('shows what its pods run in wide tables', () => {
    const object = {
      ...created(replicaSet, { spec: { ...spec, replicas: 2 } }),
      status: { replicas: 2, readyReplicas: 1 },
    };
    expect(replicaSet.columns.cells(object, 0)).toEqual(['a', 2, 2, 1, '<unknown>', 'c', 'i', 'app=web']);
    expect(replicaSet.columns.definitions.map(({ name, type, priority }) => [name, type, priority])).toEqual([
      ['Name', 'string', 0],
      ['Desired', 'integer', 0],
      ['Current', 'integer', 0],
      ['Ready', 'integer', 0],
      ['Age', 'string', 0],
      ['Containers', 'string', 1],
      ['Images', 'string', 1],
      ['Selector', 'string', 1],
    ]);
  });
});

describe('a ReplicationController', () => {
  it('takes its selector and its labels from its template', () => {
    expect(created(replicationController, { spec: { template } })).toMatchObject({
      metadata: { labels },
      spec: { replicas: 1, selector: labels },
    });
    const own = created(replicationController, { spec: { template } }, { labels: { z: 'y' } });
    expect(own.metadata.labels).toEqual({ z: 'y' });
  });

  it.each([
    ['nothing', {}, '[spec.selector: Required value, spec.template: Required value]'],
    [
      'a selector of others',
      { selector: { x: 'y' }, template },
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      'a deadline',
      { template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 5 } } },
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(replicationController, { spec: fields })).toBe(expected);
  });

  it('may change its selector', () => {
    const more = { app: 'web', tier: 'front' };
    const changed = { selector: more, template: { ...template, metadata: { labels: more } } };
    const old = created(replicationController, { spec: { template } });
    expect(changeComplaints(replicationController, old, { spec: changed })).toBe('');
  });

  it('leaves its pods alone when it is deleted without a policy', () => {
    expect(replicationController.strategy.orphansDependents).toBe(true);
    expect(replicaSet.strategy.orphansDependents).toBeUndefined();
  });
});
