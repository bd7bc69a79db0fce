/** Good objects of core kinds and workloads. */

import { type OwnedBody, owned } from './owned-body.ts';

const template = {
  metadata: { labels: { app: 'a' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i:1',
        args: ['x'],
        ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP', name: 'u' }],
        env: [
          { name: 'A', value: '1' },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } },
        ],
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
        resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } },
        readinessProbe: { httpGet: { path: '/', port: 80 } },
      },
    ],
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'w', projected: { sources: [{ configMap: { name: 'm' } }] } },
    ],
    nodeSelector: { a: 'b' },
    tolerations: [{ key: 'k', operator: 'Exists' }],
  },
};
const selector = { matchLabels: { app: 'a' } };
const job = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } };
const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const labelled = { metadata: { labels: { changed: 'yes' } } };

export const OWNED_CORE_BODIES: readonly OwnedBody[] = [
  owned(
    'v1',
    'ConfigMap',
    'configmaps',
    true,
    { data: { a: '1' }, binaryData: { b: 'AAE=' } },
    { change: { data: { a: null, c: '2' } } },
  ),
  owned(
    'v1',
    'Secret',
    'secrets',
    true,
    { stringData: { a: 'x' }, data: { b: 'Yg==' } },
    { change: { data: { b: 'Yw==' } } },
  ),
  owned(
    'v1',
    'ServiceAccount',
    'serviceaccounts',
    true,
    { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }] },
    { change: { automountServiceAccountToken: false } },
  ),
  owned(
    'v1',
    'Pod',
    'pods',
    true,
    { spec: template.spec },
    {
      change: { spec: { activeDeadlineSeconds: 5 } },
      status: {
        phase: 'Running',
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
  ),
  owned(
    'v1',
    'PodTemplate',
    'podtemplates',
    true,
    { template },
    { change: { template: { metadata: { labels: { b: 'c' } } } } },
  ),
  owned(
    'v1',
    'ReplicationController',
    'replicationcontrollers',
    true,
    { spec: { replicas: 2, selector: { app: 'a' }, template } },
    { change: { spec: { replicas: 3 } }, status: { replicas: 1, observedGeneration: 1 }, scale: true },
  ),
  owned(
    'v1',
    'Service',
    'services',
    true,
    {
      spec: {
        selector: { app: 'a' },
        ports: [
          { name: 't', port: 80 },
          { name: 'u', port: 80, protocol: 'UDP', targetPort: 'x' },
        ],
      },
    },
    {
      change: { spec: { sessionAffinity: 'ClientIP' } },
      status: { conditions: [condition] },
    },
  ),
  owned(
    'v1',
    'Endpoints',
    'endpoints',
    true,
    { subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80 }] }] },
    {},
  ),
  owned(
    'v1',
    'Event',
    'events',
    true,
    {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'owners' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
      count: 1,
    },
    { change: { count: 2 } },
  ),
  owned(
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    false,
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        storageClassName: 'manual',
      },
    },
    { change: { spec: { persistentVolumeReclaimPolicy: 'Delete' } }, status: { phase: 'Available' } },
  ),
  owned(
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    true,
    {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'manual' },
    },
    { change: labelled, status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
  ),
  owned(
    'v1',
    'ResourceQuota',
    'resourcequotas',
    true,
    { spec: { hard: { 'count/x.example.com': '10' } } },
    {
      change: { spec: { hard: { 'count/x.example.com': '11' } } },
      status: { hard: { pods: '10' }, used: { pods: '0' } },
    },
  ),
  owned(
    'v1',
    'LimitRange',
    'limitranges',
    true,
    { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Ti' } }] } },
    { change: labelled },
  ),
  owned(
    'v1',
    'Node',
    'nodes',
    false,
    { spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'], taints: [{ key: 'k', effect: 'NoSchedule' }] } },
    {
      change: { spec: { unschedulable: true } },
      status: {
        capacity: { cpu: '4' },
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'Hostname', address: 'h' }],
      },
    },
  ),
  owned(
    'v1',
    'Namespace',
    'namespaces',
    false,
    { spec: { finalizers: ['kubernetes'] } },
    { change: labelled, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
  ),
];

export const OWNED_WORKLOAD_BODIES: readonly OwnedBody[] = [
  owned(
    'apps/v1',
    'Deployment',
    'deployments',
    true,
    { spec: { replicas: 2, selector, template } },
    {
      change: { spec: { replicas: 3, strategy: { type: 'Recreate', rollingUpdate: null } } },
      status: { replicas: 1, observedGeneration: 2, conditions: [{ type: 'Available', status: 'True' }] },
      scale: true,
    },
  ),
  owned(
    'apps/v1',
    'ReplicaSet',
    'replicasets',
    true,
    { spec: { replicas: 2, selector, template } },
    { change: { spec: { replicas: 4 } }, status: { replicas: 2, observedGeneration: 1 }, scale: true },
  ),
  owned(
    'apps/v1',
    'StatefulSet',
    'statefulsets',
    true,
    {
      spec: {
        serviceName: 's',
        selector,
        template,
        volumeClaimTemplates: [
          {
            metadata: { name: 'd' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
    { change: { spec: { replicas: 3 } }, status: { replicas: 1, collisionCount: 0 }, scale: true },
  ),
  owned(
    'apps/v1',
    'DaemonSet',
    'daemonsets',
    true,
    { spec: { selector, template } },
    {
      change: { spec: { minReadySeconds: 3 } },
      status: { currentNumberScheduled: 1, desiredNumberScheduled: 1, numberMisscheduled: 0, numberReady: 1 },
    },
  ),
  owned(
    'apps/v1',
    'ControllerRevision',
    'controllerrevisions',
    true,
    { revision: 1, data: { spec: { a: 1 } } },
    { change: { revision: 2 } },
  ),
  owned(
    'batch/v1',
    'Job',
    'jobs',
    true,
    { spec: { ...job, backoffLimit: 2, suspend: true } },
    { change: { spec: { suspend: false } }, status: { active: 1 } },
  ),
  owned(
    'batch/v1',
    'CronJob',
    'cronjobs',
    true,
    { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: job } } },
    { change: { spec: { suspend: true } }, status: { lastScheduleTime: '2026-01-01T00:00:00Z' } },
  ),
  owned(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    true,
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    },
    { change: { spec: { maxReplicas: 6 } }, status: { currentReplicas: 1, desiredReplicas: 2 } },
  ),
  owned(
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    true,
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 5,
        targetCPUUtilizationPercentage: 50,
      },
    },
    { name: 'owned-v1', change: { spec: { maxReplicas: 6 } }, status: { currentReplicas: 1, desiredReplicas: 2 } },
  ),
  owned(
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    true,
    { spec: { minAvailable: '50%', selector } },
    {
      change: { spec: { minAvailable: 2 } },
      status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
    },
  ),
];
