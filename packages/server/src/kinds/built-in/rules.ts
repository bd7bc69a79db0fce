/** The rules of the built-in kinds, by the type of their objects. A kind that is not here has the defaults of `KindRules`. */

import type { TypeName } from '@listwatch/schema';
import type { KindRules } from '../kind-rules.ts';
import { apiService } from './api-service.ts';
import { certificateSigningRequest } from './certificate-signing-request.ts';
import { clusterRole } from './cluster-role.ts';
import { clusterRoleBinding } from './cluster-role-binding.ts';
import { componentStatus } from './component-status.ts';
import { configMap } from './config-map.ts';
import { controllerRevision } from './controller-revision.ts';
import { cronJob } from './cron-job.ts';
import { csiDriver } from './csi-driver.ts';
import { csiNode } from './csi-node.ts';
import { csiStorageCapacity } from './csi-storage-capacity.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { deviceClass } from './device-class.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { endpoints } from './endpoints.ts';
import { event } from './event.ts';
import { eventsEvent } from './events-event.ts';
import { flowSchema } from './flow-schema.ts';
import { horizontalPodAutoscaler, horizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler.ts';
import { ingress } from './ingress.ts';
import { ingressClass } from './ingress-class.ts';
import { ipAddress } from './ip-address-rules.ts';
import { job } from './job.ts';
import { lease } from './lease.ts';
import { limitRange } from './limit-range.ts';
import { mutatingAdmissionPolicy } from './mutating-admission-policy.ts';
import { mutatingAdmissionPolicyBinding } from './mutating-admission-policy-binding.ts';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration.ts';
import { namespace } from './namespace.ts';
import { networkPolicy } from './network-policy.ts';
import { node } from './node.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { pod } from './pod.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';
import { podTemplate } from './pod-template.ts';
import { priorityClass } from './priority-class.ts';
import { priorityLevelConfiguration } from './priority-level-configuration.ts';
import { replicaSet } from './replica-set.ts';
import { replicationController } from './replication-controller.ts';
import { resourceClaim } from './resource-claim.ts';
import { resourceClaimTemplate } from './resource-claim-template.ts';
import { resourceQuota } from './resource-quota.ts';
import { resourceSlice } from './resource-slice.ts';
import { role } from './role.ts';
import { roleBinding } from './role-binding.ts';
import { runtimeClass } from './runtime-class.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';
import { serviceCidr } from './service-cidr.ts';
import { statefulSet } from './stateful-set.ts';
import { storageClass } from './storage-class.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy.ts';
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding.ts';
import { validatingWebhookConfiguration } from './validating-webhook-configuration.ts';
import { volumeAttachment } from './volume-attachment.ts';
import { volumeAttributesClass } from './volume-attributes-class.ts';

/** One line for each kind with rules. */
export const KIND_RULES: Readonly<Record<TypeName, KindRules>> = {
  'admissionregistration/v1.MutatingAdmissionPolicy': mutatingAdmissionPolicy,
  'admissionregistration/v1.MutatingAdmissionPolicyBinding': mutatingAdmissionPolicyBinding,
  'admissionregistration/v1.MutatingWebhookConfiguration': mutatingWebhookConfiguration,
  'admissionregistration/v1.ValidatingAdmissionPolicy': validatingAdmissionPolicy,
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding': validatingAdmissionPolicyBinding,
  'admissionregistration/v1.ValidatingWebhookConfiguration': validatingWebhookConfiguration,
  'apiregistration/v1.APIService': apiService,
  'apps/v1.ControllerRevision': controllerRevision,
  'apps/v1.DaemonSet': daemonSet,
  'apps/v1.Deployment': deployment,
  'apps/v1.ReplicaSet': replicaSet,
  'apps/v1.StatefulSet': statefulSet,
  'autoscaling/v1.HorizontalPodAutoscaler': horizontalPodAutoscalerV1,
  'autoscaling/v2.HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'batch/v1.CronJob': cronJob,
  'batch/v1.Job': job,
  'certificates/v1.CertificateSigningRequest': certificateSigningRequest,
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
  'flowcontrol/v1.FlowSchema': flowSchema,
  'flowcontrol/v1.PriorityLevelConfiguration': priorityLevelConfiguration,
  'networking/v1.IPAddress': ipAddress,
  'networking/v1.Ingress': ingress,
  'networking/v1.IngressClass': ingressClass,
  'networking/v1.NetworkPolicy': networkPolicy,
  'networking/v1.ServiceCIDR': serviceCidr,
  'node/v1.RuntimeClass': runtimeClass,
  'policy/v1.PodDisruptionBudget': podDisruptionBudget,
  'rbac/v1.ClusterRole': clusterRole,
  'rbac/v1.ClusterRoleBinding': clusterRoleBinding,
  'rbac/v1.Role': role,
  'rbac/v1.RoleBinding': roleBinding,
  'resource/v1.DeviceClass': deviceClass,
  'resource/v1.ResourceClaim': resourceClaim,
  'resource/v1.ResourceClaimTemplate': resourceClaimTemplate,
  'resource/v1.ResourceSlice': resourceSlice,
  'scheduling/v1.PriorityClass': priorityClass,
  'storage/v1.CSIDriver': csiDriver,
  'storage/v1.CSINode': csiNode,
  'storage/v1.CSIStorageCapacity': csiStorageCapacity,
  'storage/v1.StorageClass': storageClass,
  'storage/v1.VolumeAttachment': volumeAttachment,
  'storage/v1.VolumeAttributesClass': volumeAttributesClass,
};
