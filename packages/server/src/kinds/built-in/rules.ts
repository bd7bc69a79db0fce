/** The rules of the built-in kinds, by the type of their objects. A kind that is not here has the defaults of `KindRules`. */

import type { TypeName } from '@listwatch/schema';
import type { KindRules } from '../kind-rules.ts';
import { componentStatus } from './component-status.ts';
import { configMap } from './config-map.ts';
import { controllerRevision } from './controller-revision.ts';
import { cronJob } from './cron-job.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { endpoints } from './endpoints.ts';
import { event } from './event.ts';
import { eventsEvent } from './events-event.ts';
import { horizontalPodAutoscaler, horizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler.ts';
import { job } from './job.ts';
import { lease } from './lease.ts';
import { limitRange } from './limit-range.ts';
import { namespace } from './namespace.ts';
import { node } from './node.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { pod } from './pod.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';
import { podTemplate } from './pod-template.ts';
import { replicaSet } from './replica-set.ts';
import { replicationController } from './replication-controller.ts';
import { resourceQuota } from './resource-quota.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';
import { statefulSet } from './stateful-set.ts';

/** One line for each kind with rules. */
export const KIND_RULES: Readonly<Record<TypeName, KindRules>> = {
  'apps/v1.ControllerRevision': controllerRevision,
  'apps/v1.DaemonSet': daemonSet,
  'apps/v1.Deployment': deployment,
  'apps/v1.ReplicaSet': replicaSet,
  'apps/v1.StatefulSet': statefulSet,
  'autoscaling/v1.HorizontalPodAutoscaler': horizontalPodAutoscalerV1,
  'autoscaling/v2.HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'batch/v1.CronJob': cronJob,
  'batch/v1.Job': job,
  'coordination/v1.Lease': lease,
  'core/v1.ComponentStatus': componentStatus,
  'core/v1.ConfigMap': configMap,
  'core/v1.Endpoints': endpoints,
  'core/v1.Event': event,
  'core/v1.LimitRange': limitRange,
  'core/v1.Namespace': namespace,
  'core/v1.Node': node,
  'core/v1.PersistentVolume': persistentVolume,
  'core/v1.PersistentVolumeClaim': persistentVolumeClaim,
  'core/v1.Pod': pod,
  'core/v1.PodTemplate': podTemplate,
  'core/v1.ReplicationController': replicationController,
  'core/v1.ResourceQuota': resourceQuota,
  'core/v1.Secret': secret,
  'core/v1.Service': service,
  'core/v1.ServiceAccount': serviceAccount,
  'discovery/v1.EndpointSlice': endpointSlice,
  'events/v1.Event': eventsEvent,
  'policy/v1.PodDisruptionBudget': podDisruptionBudget,
};
