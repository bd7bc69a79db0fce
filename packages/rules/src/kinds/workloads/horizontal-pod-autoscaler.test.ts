import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const autoscaler = builtInKind('autoscaling/v2.HorizontalPodAutoscaler');
const autoscalerV1 = builtInKind('autoscaling/v1.HorizontalPodAutoscaler');
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const spec = { scaleTargetRef, maxReplicas: 3 };
const use = (averageUtilization: number) => ({ type: 'Utilization', averageUtilization });
const average = (averageValue: string) => ({ type: 'AverageValue', averageValue });

const percent = { type: 'Percent', value: 100, periodSeconds: 15 };

describe('a HorizontalPodAutoscaler of v2', () => {
  it('that says least keeps the CPU at 80 percent', () => {
    const object = created(autoscaler, { spec });
    expect(object).toMatchObject({
      spec: { minReplicas: 1, metrics: [{ type: 'Resource', resource: { name: 'cpu', target: use(80) } }] },
    });
    expect(object['spec']).not.toHaveProperty('behavior');
  });

  it('with any behavior has all of it', () => {
    expect(
      created(autoscaler, { spec: { ...spec, behavior: { scaleDown: { selectPolicy: 'Disabled' } } } }),
    ).toMatchObject({
      spec: {
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Max',
            policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
          },
          scaleDown: { selectPolicy: 'Disabled', policies: [percent] },
        },
      },
    });
  });

  it.each([
    ['nothing wrong', {}, ''],
    [
      'fewer than no pods',
      { minReplicas: -1, maxReplicas: 0 },
      '[spec.minReplicas: Invalid value: -1: must be greater than or equal to 1, spec.maxReplicas: Required value: must be set and greater than 0]',
    ],
    [
      'no pods',
      { minReplicas: 0 },
      '[spec.minReplicas: Invalid value: 0: must be greater than or equal to 1, spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas]',
    ],
    [
      'limits in disorder',
      { minReplicas: 9 },
      'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
    ],
    [
      'no target',
      { scaleTargetRef: { kind: '', name: '' } },
      '[spec.scaleTargetRef.kind: Required value, spec.scaleTargetRef.name: Required value, spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group]',
    ],
    [
      'a target of the core group',
      { scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'x' } },
      '',
    ],
    [
      'an illegal target',
      { scaleTargetRef: { apiVersion: 'a/b/c', kind: 'a/b', name: '..' } },
      '[spec.scaleTargetRef.kind: Invalid value: "a/b": may not contain \'/\', spec.scaleTargetRef.name: Invalid value: "..": may not be \'..\', ' +
        'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c]',
    ],
    [
      'a metric of no type',
      { metrics: [{ type: '' }] },
      '[spec.metrics[0].type: Required value: must specify a metric source type, ' +
        'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"]',
    ],
    [
      'a metric of two types',
      {
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: use(5) },
            pods: { metric: { name: 'a' }, target: average('1') },
          },
        ],
      },
      // The first member that is there is validated.
      'spec.metrics[0].pods: Forbidden: must populate the given metric source only',
    ],
    [
      'a metric without a target',
      { metrics: [{ type: 'Resource', resource: { name: '', target: { type: '' } } }] },
      '[spec.metrics[0].resource.name: Required value: must specify a resource name, spec.metrics[0].resource.target.type: Required value: must specify a metric target type, ' +
        'spec.metrics[0].resource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue, ' +
        'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization]',
    ],
    [
      'a container of an unknown resource',
      { metrics: [{ type: 'ContainerResource', containerResource: { name: 'foo', container: '', target: use(0) } }] },
      '[spec.metrics[0].containerResource.name: Invalid value: "foo": must be a standard resource type or fully qualified, ' +
        'spec.metrics[0].containerResource.name: Invalid value: "foo": must be a standard resource for containers, ' +
        'spec.metrics[0].containerResource.container: Required value: must specify a container, ' +
        'spec.metrics[0].containerResource.target.averageUtilization: Invalid value: 0: must be greater than 0]',
    ],
    [
      'empty lists of policies',
      { behavior: { scaleUp: { policies: [] }, scaleDown: { policies: [], selectPolicy: 'Min' } } },
      '[spec.behavior.scaleUp.policies: Required value: must specify at least one Policy, ' +
        'spec.behavior.scaleDown.policies: Required value: must specify at least one Policy]',
    ],
    [
      'policies that do nothing',
      {
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: -1,
            selectPolicy: 'X',
            policies: [{ type: 'Y', value: 0, periodSeconds: 1801 }],
            tolerance: '-1',
          },
        },
      },
      '[spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero, ' +
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "X": supported values: "Disabled", "Max", "Min", ' +
        'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Y": supported values: "Percent", "Pods", ' +
        'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero, ' +
        'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800, ' +
        'spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0]',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(autoscaler, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('may keep a target that would be refused today', () => {
    const old = { ...created(autoscaler, { spec }), spec: { ...spec, scaleTargetRef: { kind: 'X', name: 'x' } } };
    expect(changeComplaints(autoscaler, old, { spec: { ...old.spec, maxReplicas: 9 } })).toBe('');
    expect(
      changeComplaints(autoscaler, old, { spec: { ...old.spec, scaleTargetRef: { kind: 'Y', name: 'x' } } }),
    ).not.toBe('');
  });

  it('shows two metrics and how many more there are', () => {
    const metrics = [
      { type: 'Resource', resource: { name: 'cpu', target: average('1') } },
      { type: 'External', external: { metric: { name: 'e' }, target: average('2') } },
      { type: 'Pods', pods: { metric: { name: 'p' }, target: average('3') } },
    ];
    const currentMetrics = [{ type: 'Resource', resource: { name: 'cpu', current: { averageValue: '500m' } } }];
    const object = {
      ...created(autoscaler, { spec: { ...spec, metrics } }),
      status: { currentReplicas: 2, currentMetrics },
    };
    expect(autoscaler.columns.cells(object, 0)).toEqual([
      'a',
      'Deployment/d',
      'cpu: 500m/1, <unknown>/2 (avg) + 1 more...',
      '1',
      3,
      2,
      '<unknown>',
    ]);
  });
});

describe('a HorizontalPodAutoscaler of v1', () => {
  it('that says least keeps the CPU at 80 percent', () => {
    expect(created(autoscalerV1, { spec })).toMatchObject({
      spec: { minReplicas: 1, targetCPUUtilizationPercentage: 80 },
    });
  });

  it('is validated in the words of v2', () => {
    expect(complaints(autoscalerV1, { spec: { ...spec, targetCPUUtilizationPercentage: 0 } })).toBe(
      'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
    );
  });

  it('cannot set its status by annotations', () => {
    const prefix = 'autoscaling.alpha.kubernetes.io/';
    const annotations = {
      a: 'b',
      [`${prefix}conditions`]: '[{"type":"a","status":"True"}]',
      [`${prefix}metrics`]: 'x',
    };
    expect(created(autoscalerV1, { spec }, { annotations }).metadata.annotations).toEqual({ a: 'b' });
  });

  it('keeps its state when only its spec is written', () => {
    const old = autoscalerV1.strategy.prepareForStatusUpdate?.(
      {
        ...created(autoscalerV1, { spec }),
        status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 7 },
      },
      created(autoscalerV1, { spec }),
      0,
    );
    if (old === undefined) throw new Error('v1 has a status');
    const { annotations: _dropped, ...metadata } = old.metadata;
    const update = autoscalerV1.strategy.prepareForUpdate(
      { ...old, metadata, spec: { ...spec, maxReplicas: 4 } },
      old,
      0,
    );
    expect(update).toMatchObject({
      metadata: {
        annotations: {
          'autoscaling.alpha.kubernetes.io/current-metrics':
            '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":7,"currentAverageValue":"0"}}]',
        },
      },
      spec: { maxReplicas: 4 },
      status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 7 },
    });
  });
});
