/** The shape of the metadata that every object carries, and of selectors over labels. */
import { list, map, type StructShape, struct } from './shape.ts';

const OWNER_REFERENCE: StructShape = struct('OwnerReference', {
  apiVersion: 'string!',
  kind: 'string!',
  name: 'string!',
  uid: 'string!',
  controller: '*bool',
  blockOwnerDeletion: '*bool',
});

const MANAGED_FIELDS_ENTRY: StructShape = struct('ManagedFieldsEntry', {
  manager: 'string',
  operation: 'string',
  apiVersion: 'string',
  time: '*time',
  fieldsType: 'string',
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
  annotations: map('string'),
  ownerReferences: list(OWNER_REFERENCE, { mergeKey: 'uid' }),
  finalizers: list('string', { merge: true }),
  managedFields: list(MANAGED_FIELDS_ENTRY),
});

const LABEL_SELECTOR_REQUIREMENT: StructShape = struct('LabelSelectorRequirement', {
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
