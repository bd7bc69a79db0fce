/** Objects of apps, batch and their neighbours with nearly every field. */

import { type OwnedBody, owned } from '../kind-bodies/owned-body.ts';
import { SMALL_TEMPLATE } from './rich-pod.ts';

const selector = { matchLabels: { app: 'a' } };
const condition = {
  type: 'Available',
  status: 'True',
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const once = { ...SMALL_TEMPLATE, spec: { ...SMALL_TEMPLATE.spec, restartPolicy: 'Never' } };
const job = {
  parallelism: 2,
  completions: 4,
  activeDeadlineSeconds: 100,
  backoffLimitPerIndex: 1,
  maxFailedIndexes: 2,
  manualSelector: false,
  ttlSecondsAfterFinished: 10,
  completionMode: 'Indexed',
  suspend: true,
  podReplacementPolicy: 'Failed',
  managedBy: 'example.com/x',
  podFailurePolicy: {
    rules: [
      { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [1, 2] } },
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    ],
  },
  successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 1 }] },
  template: once,
};
const { managedBy: _, ...cronJob } = job;

export const RICH_WORKLOAD_BODIES: readonly OwnedBody[] = [
  owned(
    'apps/v1',
    'Deployment',
    'deployments',
    true,
    {
      spec: {
        replicas: 2,
        selector,
        template: SMALL_TEMPLATE,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%', maxSurge: 1 } },
        minReadySeconds: 1,
        revisionHistoryLimit: 2,
        paused: true,
        progressDeadlineSeconds: 100,
      },
    },
    {
      change: { spec: { replicas: 3 } },
      status: {
        observedGeneration: 2,
        replicas: 3,
        updatedReplicas: 3,
        readyReplicas: 2,
        availableReplicas: 2,
        unavailableReplicas: 1,
        terminatingReplicas: 1,
        conditions: [{ ...condition, lastUpdateTime: '2026-01-01T00:00:00Z' }],
        collisionCount: 1,
      },
      scale: true,
    },
  ),
  owned(
    'apps/v1',
    'ReplicaSet',
    'replicasets',
    true,
    { spec: { replicas: 2, minReadySeconds: 1, selector, template: SMALL_TEMPLATE } },
    {
      change: { spec: { replicas: 4 } },
      status: {
        replicas: 2,
        fullyLabeledReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        terminatingReplicas: 1,
        observedGeneration: 1,
        conditions: [condition],
      },
      scale: true,
    },
  ),
  owned(
    'apps/v1',
    'StatefulSet',
    'statefulsets',
    true,
    {
      spec: {
        replicas: 2,
        serviceName: 's',
        selector,
        template: SMALL_TEMPLATE,
        volumeClaimTemplates: [
          {
            metadata: { name: 'd', labels: { a: 'b' } },
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '1Gi' } },
              storageClassName: 'x',
              volumeMode: 'Block',
            },
          },
        ],
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        revisionHistoryLimit: 3,
        minReadySeconds: 2,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        ordinals: { start: 1 },
      },
    },
    {
      change: { spec: { replicas: 3 } },
      status: {
        observedGeneration: 1,
        replicas: 1,
        readyReplicas: 1,
        currentReplicas: 1,
        updatedReplicas: 1,
        currentRevision: 'a',
        updateRevision: 'b',
        collisionCount: 0,
        availableReplicas: 1,
        conditions: [condition],
      },
      scale: true,
    },
  ),
  owned(
    'apps/v1',
    'DaemonSet',
    'daemonsets',
    true,
    {
      spec: {
        selector,
        template: SMALL_TEMPLATE,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%', maxSurge: 0 } },
        minReadySeconds: 3,
        revisionHistoryLimit: 4,
      },
    },
    {
      change: { spec: { minReadySeconds: 4 } },
      status: {
        currentNumberScheduled: 1,
        desiredNumberScheduled: 1,
        numberMisscheduled: 0,
        numberReady: 1,
        observedGeneration: 1,
        updatedNumberScheduled: 1,
        numberAvailable: 1,
        numberUnavailable: 0,
        collisionCount: 2,
        conditions: [condition],
      },
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
    { spec: job },
    {
      change: { spec: { parallelism: 3 } },
      status: {
        active: 1,
        succeeded: 1,
        failed: 1,
        terminating: 0,
        ready: 1,
        startTime: '2026-01-01T00:00:00Z',
        completedIndexes: '1',
        failedIndexes: '2',
        conditions: [{ ...condition, type: 'Suspended', lastProbeTime: '2026-01-01T00:00:00Z' }],
        uncountedTerminatedPods: { succeeded: ['a'], failed: ['b'] },
      },
    },
  ),
  owned(
    'batch/v1',
    'CronJob',
    'cronjobs',
    true,
    {
      spec: {
        schedule: '*/5 * * * *',
        timeZone: 'Europe/Berlin',
        startingDeadlineSeconds: 10,
        concurrencyPolicy: 'Forbid',
        suspend: true,
        jobTemplate: { metadata: { labels: { a: 'b' } }, spec: cronJob },
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 2,
      },
    },
    {
      change: { spec: { suspend: false } },
      status: {
        active: [{ kind: 'Job', namespace: 'n', name: 'j', uid: 'u', apiVersion: 'batch/v1' }],
        lastScheduleTime: '2026-01-01T00:00:00Z',
        lastSuccessfulTime: '2026-01-01T00:00:01Z',
      },
    },
  ),
];
