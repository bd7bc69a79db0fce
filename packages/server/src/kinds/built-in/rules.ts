/** The rules of the built-in kinds, by the type of their objects. A kind that is not here has the defaults of `KindRules`. */

import type { TypeName } from '@listwatch/schema';
import type { KindRules } from '../kind-rules.ts';
import { apiService } from './api-service.ts';
import { certificateSigningRequest } from './certificate-signing-request.ts';
import { clusterRole } from './cluster-role.ts';
import { clusterRoleBinding } from './cluster-role-binding.ts';
import { configMap } from './config-map.ts';
import { csiDriver } from './csi-driver.ts';
import { csiNode } from './csi-node.ts';
import { csiStorageCapacity } from './csi-storage-capacity.ts';
import { deployment } from './deployment.ts';
import { deviceClass } from './device-class.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { event } from './event.ts';
import { eventsEvent } from './events-event.ts';
import { flowSchema } from './flow-schema.ts';
import { ingress } from './ingress.ts';
import { ingressClass } from './ingress-class.ts';
import { ipAddress } from './ip-address-rules.ts';
import { lease } from './lease.ts';
import { mutatingAdmissionPolicy } from './mutating-admission-policy.ts';
import { mutatingAdmissionPolicyBinding } from './mutating-admission-policy-binding.ts';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration.ts';
import { namespace } from './namespace.ts';
import { networkPolicy } from './network-policy.ts';
import { node } from './node.ts';
import { pod } from './pod.ts';
import { podTemplate } from './pod-template.ts';
import { priorityClass } from './priority-class.ts';
import { priorityLevelConfiguration } from './priority-level-configuration.ts';
import { resourceClaim } from './resource-claim.ts';
import { resourceClaimTemplate } from './resource-claim-template.ts';
import { resourceSlice } from './resource-slice.ts';
import { role } from './role.ts';
import { roleBinding } from './role-binding.ts';
import { runtimeClass } from './runtime-class.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';
import { serviceCidr } from './service-cidr.ts';
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
  'apps/v1.Deployment': deployment,
  'certificates/v1.CertificateSigningRequest': certificateSigningRequest,
  'coordination/v1.Lease': lease,
  'core/v1.ConfigMap': configMap,
  'core/v1.Event': event,
  'core/v1.Namespace': namespace,
  'core/v1.Node': node,
  'core/v1.Pod': pod,
  'core/v1.PodTemplate': podTemplate,
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
