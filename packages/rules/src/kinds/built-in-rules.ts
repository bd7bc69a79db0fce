/** The rules of the built-in kinds, by the type of their objects. A kind that is not here has the defaults of `KindRules`. */

import type { TypeName } from '@listwatch/schema';
import type { KindRules } from '../strategy/kind-rules.ts';
import { mutatingAdmissionPolicy } from './admission/mutating-admission-policy.ts';
import { mutatingAdmissionPolicyBinding } from './admission/mutating-admission-policy-binding.ts';
import { mutatingWebhookConfiguration } from './admission/mutating-webhook-configuration.ts';
import { validatingAdmissionPolicy } from './admission/validating-admission-policy.ts';
import { validatingAdmissionPolicyBinding } from './admission/validating-admission-policy-binding.ts';
import { validatingWebhookConfiguration } from './admission/validating-webhook-configuration.ts';
import { apiService } from './cluster/api-service.ts';
import { componentStatus } from './cluster/component-status.ts';
import { configMap } from './cluster/config-map.ts';
import { customResourceDefinition } from './cluster/custom-resource-definition.ts';
import { event } from './cluster/event.ts';
import { eventsEvent } from './cluster/events-event.ts';
import { flowSchema } from './cluster/flow-schema.ts';
import { lease } from './cluster/lease.ts';
import { limitRange } from './cluster/limit-range.ts';
import { namespace } from './cluster/namespace.ts';
import { node } from './cluster/node.ts';
import { priorityLevelConfiguration } from './cluster/priority-level-configuration.ts';
import { resourceQuota } from './cluster/resource-quota.ts';
import { secret } from './cluster/secret.ts';
import { deviceClass } from './devices/device-class.ts';
import { resourceClaim } from './devices/resource-claim.ts';
import { resourceClaimTemplate } from './devices/resource-claim-template.ts';
import { resourceSlice } from './devices/resource-slice.ts';
import { certificateSigningRequest } from './identity/certificate-signing-request.ts';
import { clusterRole } from './identity/cluster-role.ts';
import { clusterRoleBinding } from './identity/cluster-role-binding.ts';
import { role } from './identity/role.ts';
import { roleBinding } from './identity/role-binding.ts';
import { serviceAccount } from './identity/service-account.ts';
import { endpointSlice } from './networking/endpoint-slice.ts';
import { endpoints } from './networking/endpoints.ts';
import { ingress } from './networking/ingress.ts';
import { ingressClass } from './networking/ingress-class.ts';
import { ipAddress } from './networking/ip-address-rules.ts';
import { networkPolicy } from './networking/network-policy.ts';
import { service } from './networking/service.ts';
import { serviceCidr } from './networking/service-cidr.ts';
import { pod } from './pods/pod.ts';
import { podDisruptionBudget } from './pods/pod-disruption-budget.ts';
import { podTemplate } from './pods/pod-template.ts';
import { priorityClass } from './pods/priority-class.ts';
import { runtimeClass } from './pods/runtime-class.ts';
import { csiDriver } from './storage/csi-driver.ts';
import { csiNode } from './storage/csi-node.ts';
import { csiStorageCapacity } from './storage/csi-storage-capacity.ts';
import { persistentVolume } from './storage/persistent-volume.ts';
import { persistentVolumeClaim } from './storage/persistent-volume-claim.ts';
import { storageClass } from './storage/storage-class.ts';
import { volumeAttachment } from './storage/volume-attachment.ts';
import { volumeAttributesClass } from './storage/volume-attributes-class.ts';
import { controllerRevision } from './workloads/controller-revision.ts';
import { cronJob } from './workloads/cron-job.ts';
import { daemonSet } from './workloads/daemon-set.ts';
import { deployment } from './workloads/deployment.ts';
import { horizontalPodAutoscaler, horizontalPodAutoscalerV1 } from './workloads/horizontal-pod-autoscaler.ts';
import { job } from './workloads/job.ts';
import { replicaSet } from './workloads/replica-set.ts';
import { replicationController } from './workloads/replication-controller.ts';
import { statefulSet } from './workloads/stateful-set.ts';

/** One line for each kind with rules. */
export const KIND_RULES: Readonly<Record<TypeName, KindRules>> = {
  'admissionregistration/v1.MutatingAdmissionPolicy': mutatingAdmissionPolicy,
  'admissionregistration/v1.MutatingAdmissionPolicyBinding': mutatingAdmissionPolicyBinding,
  'admissionregistration/v1.MutatingWebhookConfiguration': mutatingWebhookConfiguration,
  'admissionregistration/v1.ValidatingAdmissionPolicy': validatingAdmissionPolicy,
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding': validatingAdmissionPolicyBinding,
  'admissionregistration/v1.ValidatingWebhookConfiguration': validatingWebhookConfiguration,
  'apiextensions/v1.CustomResourceDefinition': customResourceDefinition,
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
