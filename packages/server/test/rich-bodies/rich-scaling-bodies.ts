/** HorizontalPodAutoscalers with nearly every field, in both versions. */

import { type OwnedBody, owned } from '../kind-bodies/owned-body.ts';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const selector = { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'k', operator: 'In', values: ['x'] }] };
const utilization = { type: 'Utilization', averageUtilization: 70 };
const average = { type: 'AverageValue', averageValue: '1500m' };
const policies = [
  { type: 'Pods', value: 4, periodSeconds: 60 },
  { type: 'Percent', value: 10, periodSeconds: 1800 },
];
const condition = {
  type: 'AbleToScale',
  status: 'True',
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const replicas = {
  currentReplicas: 1,
  desiredReplicas: 2,
  lastScaleTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
};

export const RICH_SCALING_BODIES: readonly OwnedBody[] = [
  owned(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    true,
    {
      spec: {
        scaleTargetRef,
        minReplicas: 2,
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: utilization } },
          { type: 'Pods', pods: { metric: { name: 'packets', selector }, target: average } },
          {
            type: 'Object',
            object: {
              describedObject: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'i' },
              metric: { name: 'requests', selector },
              target: { type: 'Value', value: '10k' },
            },
          },
          { type: 'External', external: { metric: { name: 'queue', selector }, target: average } },
          { type: 'ContainerResource', containerResource: { name: 'memory', container: 'c', target: utilization } },
        ],
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 60, selectPolicy: 'Min', tolerance: '100m', policies },
          scaleDown: { stabilizationWindowSeconds: 300, selectPolicy: 'Disabled', policies },
        },
      },
    },
    {
      change: { spec: { maxReplicas: 6 } },
      status: {
        ...replicas,
        conditions: [condition],
        currentMetrics: [
          { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 50, averageValue: '100m' } } },
          { type: 'Pods', pods: { metric: { name: 'packets', selector }, current: { averageValue: '1' } } },
        ],
      },
    },
  ),
  owned(
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    true,
    { spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5, targetCPUUtilizationPercentage: 50 } },
    {
      name: 'rich-v1',
      change: { spec: { maxReplicas: 6 } },
      status: { ...replicas, currentCPUUtilizationPercentage: 40 },
    },
  ),
];
