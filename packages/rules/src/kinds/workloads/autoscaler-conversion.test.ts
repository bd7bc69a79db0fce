import { recordOf } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-object.ts';
import { toAutoscalerV1, toAutoscalerV2 } from './autoscaler-conversion.ts';

const reference = { kind: 'K', name: 'n', apiVersion: 'g/v1' };
const metric = { name: 'm', selector: { matchLabels: { a: 'b' } } };
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } } };
const others = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
  { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '1' } } },
  { type: 'Object', object: { describedObject: reference, target: { type: 'Value', value: '7' }, metric } },
  {
    type: 'Object',
    object: { describedObject: reference, target: { type: 'AverageValue', averageValue: '8' }, metric },
  },
  { type: 'External', external: { metric, target: { type: 'Value', value: '1k' } } },
  { type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '1k' } } },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 8 }, container: 'c' },
  },
];
const currentMetrics = [
  { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '100m', averageUtilization: 5 } } },
  { type: 'Pods', pods: { metric, current: { averageValue: '1' } } },
  { type: 'Object', object: { metric, current: { value: '7' }, describedObject: reference } },
  { type: 'External', external: { metric, current: { averageValue: '1k' } } },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', current: { averageValue: '1', averageUtilization: 8 }, container: 'c' },
  },
];
const policy = { type: 'Pods', value: 1, periodSeconds: 60 };
const full: KubeObject = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a', annotations: { own: 'kept' } },
  spec: {
    scaleTargetRef: reference,
    minReplicas: 1,
    maxReplicas: 3,
    metrics: [...others, cpu],
    behavior: {
      scaleUp: { stabilizationWindowSeconds: 3, selectPolicy: 'Max', policies: [policy], tolerance: '100m' },
      scaleDown: { selectPolicy: 'Min', policies: [policy] },
    },
  },
  status: {
    observedGeneration: 1,
    currentReplicas: 1,
    desiredReplicas: 2,
    currentMetrics,
    conditions: [
      { type: 'AbleToScale', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R', message: '<M>' },
    ],
  },
};

describe('the conversion of autoscalers', () => {
  it('keeps all that v2 knows in an object of v1', () => {
    expect(toAutoscalerV2(toAutoscalerV1(full))).toEqual(full);
  });

  it('writes annotations as kube-apiserver does', () => {
    const { annotations = {} } = toAutoscalerV1({
      ...full,
      spec: { ...recordOf(full['spec']), metrics: [others[3], cpu] },
    }).metadata;
    const prefix = 'autoscaling.alpha.kubernetes.io/';
    expect(annotations).toMatchObject({
      own: 'kept',
      [`${prefix}metrics`]:
        '[{"type":"Object","object":{"target":{"kind":"K","name":"n","apiVersion":"g/v1"},"metricName":"m","targetValue":"0","selector":{"matchLabels":{"a":"b"}},"averageValue":"8"}}]',
      [`${prefix}behavior`]:
        '{"ScaleUp":{"StabilizationWindowSeconds":3,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":60}],"Tolerance":"100m"},' +
        '"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Min","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":60}],"Tolerance":null}}',
      [`${prefix}conditions`]:
        '[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"R","message":"\\u003cM\\u003e"}]',
    });
  });

  it('gives the use of CPU its own fields in v1', () => {
    const old = toAutoscalerV1(full);
    expect(old['spec']).toEqual({
      scaleTargetRef: reference,
      minReplicas: 1,
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 5,
    });
    expect(old['status']).toEqual({
      observedGeneration: 1,
      currentReplicas: 1,
      desiredReplicas: 2,
      currentCPUUtilizationPercentage: 5,
    });
  });

  it.each(['x', '{}', '[1]', 'null', '"text"', '[{"type":"Pods","pods":5}]'])('survives the annotation %j', (text) => {
    const annotations = Object.fromEntries(
      ['metrics', 'behavior', 'current-metrics', 'conditions'].map((name) => [
        `autoscaling.alpha.kubernetes.io/${name}`,
        text,
      ]),
    );
    const object = { ...toAutoscalerV1(full), metadata: { name: 'a', annotations } };
    expect(toAutoscalerV2(object).metadata).toEqual({ name: 'a' });
  });
});
