/** The shape of the metadata that every object carries, and of selectors over labels. */
import { list, map, type Shape, type StructShape, struct } from './shape.ts';

const OWNER_REFERENCE: StructShape = struct('OwnerReference', {
  'apiVersion=5': 'string!',
  'kind=1': 'string!',
  'name=3': 'string!',
  uid: 'string!',
  'controller=6': '*bool',
  blockOwnerDeletion: '*bool',
});

const MANAGED_FIELDS_ENTRY: StructShape = struct('ManagedFieldsEntry', {
  manager: 'string',
  operation: 'string',
  apiVersion: 'string',
  time: '*time',
  'fieldsType=6': 'string',
  fieldsV1: 'any',
  subresource: 'string',
});

/** The shape of an ObjectMeta. */
export const OBJECT_META: StructShape = struct('ObjectMeta', {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  selfLink: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'int64',
  creationTimestamp: 'time',
  deletionTimestamp: '*time',
  deletionGracePeriodSeconds: '*int64',
  labels: map('string'),
  annotations: map('string', { limit: 'all' }),
  ownerReferences: list(OWNER_REFERENCE, { mergeKey: 'uid' }),
  finalizers: list('string', { merge: true }),
  'managedFields=17': list(MANAGED_FIELDS_ENTRY),
});

/** Declares an object of a kind: its fields beside its type and metadata. In protobuf the type stands around it. */
export function objectShape(kind: string, fields: Readonly<Record<string, Shape>>): StructShape {
  const metadata = { ...OBJECT_META, always: true };
  return struct(kind, { 'kind=0': 'string', 'apiVersion=0': 'string', metadata, ...fields });
}

/** The shape of a LabelSelectorRequirement. */
export const LABEL_SELECTOR_REQUIREMENT: StructShape = struct('LabelSelectorRequirement', {
  key: 'string!',
  operator: 'string!',
  values: list('string'),
});

/** The shape of a LabelSelector. */
export const LABEL_SELECTOR: StructShape = struct('LabelSelector', {
  matchLabels: map('string'),
  matchExpressions: list(LABEL_SELECTOR_REQUIREMENT),
});

/** The shape of a Condition. */
export const CONDITION: StructShape = struct('Condition', {
  type: 'string!',
  status: 'string!',
  observedGeneration: 'int64',
  lastTransitionTime: 'time!',
  reason: 'string!',
  message: 'string!',
});
