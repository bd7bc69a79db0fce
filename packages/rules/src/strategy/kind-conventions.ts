/** The defaults of rules: facts about kube-apiserver that are in no published data. */

import { isJsonNumber, recordOf, sameJson } from '@listwatch/api/values';
import type { KindData } from '@listwatch/kinds/data';
import type { TypeName } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';
import { listedFields, metadataFields } from './field-selection.ts';
import type { KindDefinition, PrepareChange, ResourceStrategy } from './kind-definition.ts';

/** Storage folders that differ from the plural of their kind. */
const STORAGE_PREFIXES: Readonly<Record<string, string>> = {
  'apiextensions/v1.CustomResourceDefinition': 'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration/v1.APIService': 'apiregistration.k8s.io/apiservices',
  'core/v1.Endpoints': 'services/endpoints',
  // The old name of nodes, kept in the keys of existing clusters.
  'core/v1.Node': 'minions',
  'core/v1.ReplicationController': 'controllers',
  'core/v1.Service': 'services/specs',
  'networking/v1.Ingress': 'ingress',
};

/** The kinds that have a `metadata.generation`. */
const WITH_GENERATION: ReadonlySet<TypeName> = new Set<TypeName>([
  'admissionregistration/v1.MutatingAdmissionPolicy',
  'admissionregistration/v1.MutatingAdmissionPolicyBinding',
  'admissionregistration/v1.MutatingWebhookConfiguration',
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  'admissionregistration/v1.ValidatingWebhookConfiguration',
  'apiextensions/v1.CustomResourceDefinition',
  'apps/v1.DaemonSet',
  'apps/v1.Deployment',
  'apps/v1.ReplicaSet',
  'apps/v1.StatefulSet',
  'batch/v1.CronJob',
  'batch/v1.Job',
  'core/v1.Pod',
  'core/v1.PodTemplate',
  'core/v1.ReplicationController',
  'discovery/v1.EndpointSlice',
  'flowcontrol/v1.FlowSchema',
  'flowcontrol/v1.PriorityLevelConfiguration',
  'networking/v1.Ingress',
  'networking/v1.IngressClass',
  'networking/v1.NetworkPolicy',
  'policy/v1.PodDisruptionBudget',
  'resource/v1.DeviceClass',
  'resource/v1.ResourceSlice',
  'scheduling/v1.PriorityClass',
]);

/** The kinds whose DELETE returns the object instead of a Status. */
const RETURN_DELETED: ReadonlySet<TypeName> = new Set<TypeName>([
  'batch/v1.Job',
  'core/v1.Namespace',
  'core/v1.PersistentVolume',
  'core/v1.PersistentVolumeClaim',
  'core/v1.Pod',
  'core/v1.PodTemplate',
  'core/v1.ReplicationController',
  'core/v1.ResourceQuota',
  'core/v1.Service',
  'core/v1.ServiceAccount',
  'resource/v1.DeviceClass',
  'resource/v1.ResourceClaim',
  'resource/v1.ResourceClaimTemplate',
  'resource/v1.ResourceSlice',
  'storage/v1.CSIDriver',
  'storage/v1.CSINode',
  'storage/v1.StorageClass',
  'storage/v1.VolumeAttachment',
  'storage/v1.VolumeAttributesClass',
]);

/** The kinds that accept finalizers without a domain (`foo`), because Kubernetes checks less of their metadata. */
const PLAIN_FINALIZERS: ReadonlySet<TypeName> = new Set<TypeName>([
  'admissionregistration/v1.MutatingAdmissionPolicy',
  'admissionregistration/v1.MutatingAdmissionPolicyBinding',
  'admissionregistration/v1.MutatingWebhookConfiguration',
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  'admissionregistration/v1.ValidatingWebhookConfiguration',
  'apiextensions/v1.CustomResourceDefinition',
  'apiregistration/v1.APIService',
  'coordination/v1.Lease',
  'core/v1.Event',
  'node/v1.RuntimeClass',
  'policy/v1.PodDisruptionBudget',
]);

/** The folder of a kind's keys. */
export function defaultStoragePrefix({ type, plural }: KindData): string {
  return STORAGE_PREFIXES[type] ?? plural;
}

/** The defaults of a kind for updates, finalizers, generation and deletion. */
export function defaultStrategy({
  type,
}: KindData): Pick<
  ResourceStrategy,
  'allowsCreateOnUpdate' | 'allowsUnconditionalUpdate' | 'plainFinalizers' | 'raisesGeneration' | 'returnsDeletedObject'
> {
  return {
    allowsCreateOnUpdate: false,
    allowsUnconditionalUpdate: true,
    returnsDeletedObject: RETURN_DELETED.has(type),
    ...(PLAIN_FINALIZERS.has(type) ? { plainFinalizers: 'taken' } : {}),
    ...(WITH_GENERATION.has(type) ? { raisesGeneration: changesMoreThanStatus } : {}),
  };
}

/** Does the object change outside of metadata and status? */
function changesMoreThanStatus(object: KubeObject, old: KubeObject): boolean {
  return [...new Set([...Object.keys(object), ...Object.keys(old)])].some(
    (name) => !NOT_COUNTED.has(name) && !sameJson(object[name], old[name]),
  );
}

const NOT_COUNTED: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** A new object has no status. */
export function withoutStatus(object: KubeObject): KubeObject {
  if (object['status'] === undefined) return object;
  const { status: _status, ...rest } = object;
  return rest;
}

/** An update of the object keeps its status. */
export const keepStatus: PrepareChange = (object, old) => {
  return old['status'] === undefined ? withoutStatus(object) : { ...object, status: old['status'] };
};

/** An update of the status keeps all but the status and metadata. */
export const keepAllButStatus: PrepareChange = (object, old) => {
  return { ...old, metadata: object.metadata, status: object['status'] };
};

/** The fields that a field selector may use. */
export function defaultResolveField({ selectableFields, ownFieldLabels }: KindData): KindDefinition['resolveField'] {
  return ownFieldLabels === true ? listedFields(selectableFields) : metadataFields;
}

/** The selectable fields of an object, as texts. */
export function defaultFieldsOf({ selectableFields }: KindData): KindDefinition['fieldsOf'] {
  const paths = selectableFields
    .filter((field) => !field.startsWith('metadata.'))
    .map((field) => [field, field.split('.')] as const);
  if (paths.length === 0) return () => NO_FIELDS;
  return (object) => Object.fromEntries(paths.map(([field, path]) => [field, textAt(object, path)]));
}

const NO_FIELDS: Readonly<Record<string, string>> = Object.freeze({});

function textAt(object: KubeObject, path: readonly string[]): string {
  let value: unknown = object;
  for (const name of path) value = recordOf(value)[name];
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || isJsonNumber(value);
  return isPlain ? String(value) : '';
}
