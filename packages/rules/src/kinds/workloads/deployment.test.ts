import { describe, expect, it } from 'vitest';
import { deployment } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: labels }, template };

describe('a Deployment', () => {
  it('that says least gets all defaults', () => {
    expect(created(deployment, { spec, status: { replicas: 9 } })).toMatchObject({
      spec: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        template: { spec: { restartPolicy: 'Always' } },
      },
      status: {},
    });
    expect(created(deployment, { spec, status: { replicas: 9 } })['status']).toEqual({});
  });

  it('may want no replicas', () => {
    expect(created(deployment, { spec: { ...spec, replicas: 0 } })).toMatchObject({ spec: { replicas: 0 } });
  });

  it.each([
    ['nothing wrong', {}, ''],
    [
      'no selector',
      { selector: undefined },
      '[spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`]',
    ],
    [
      'a selector of everything',
      { selector: {} },
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    ],
    [
      'a selector of others',
      { selector: { matchLabels: { a: 'x' } } },
      'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
    ],
    [
      'an unknown operator',
      { selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
      '[spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator, ' +
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Is"}]}: invalid label selector]',
    ],
    [
      'fewer than no replicas',
      { replicas: -1 },
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'pods that end',
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      'no containers',
      { template: { metadata: { labels }, spec: {} } },
      'spec.template.spec.containers: Required value',
    ],
    [
      'an unknown strategy',
      { strategy: { type: 'x' } },
      'spec.strategy: Unsupported value: {"Type":"x","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
    [
      'a strategy and a half',
      { strategy: { type: 'Recreate', rollingUpdate: {} } },
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      'no way on',
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
    ],
    [
      'too little time',
      { minReadySeconds: 600 },
      'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(deployment, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('keeps its selector', () => {
    const old = created(deployment, { spec });
    const other = { c: 'd' };
    const changed = { selector: { matchLabels: other }, template: { ...template, metadata: { labels: other } } };
    expect(changeComplaints(deployment, old, { spec: changed })).toBe(
      'spec.selector: Invalid value: {"matchLabels":{"c":"d"}}: field is immutable',
    );
  });

  it('is of a new generation when its spec or its annotations change', () => {
    const old = created(deployment, { spec });
    const { raisesGeneration } = deployment.strategy;
    expect(raisesGeneration?.({ ...old, metadata: { ...old.metadata, labels } }, old)).toBe(false);
    expect(raisesGeneration?.({ ...old, metadata: { ...old.metadata, annotations: labels } }, old)).toBe(true);
    expect(raisesGeneration?.({ ...old, spec: {} }, old)).toBe(true);
  });

  it('takes nothing but its status from /status', () => {
    const old = created(deployment, { spec }, { labels });
    const wish = { ...old, metadata: { ...old.metadata, labels: {} }, spec: {}, status: { replicas: 1 } };
    expect(deployment.strategy.prepareForStatusUpdate?.(wish, old, 0)).toEqual({ ...old, status: { replicas: 1 } });
  });

  it('shows how far it is', () => {
    const object = {
      ...created(deployment, { spec: { ...spec, replicas: 3 } }),
      status: { readyReplicas: 2, updatedReplicas: 3 },
    };
    expect(deployment.columns.cells(object, 0)).toEqual(['a', '2/3', 3, 0, '<unknown>', 'c', 'i', 'a=b']);
  });
});
