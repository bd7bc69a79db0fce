/** The shapes of pointers from one object to another, and of selections of nodes. */
import { list, type StructShape, struct } from './shape.ts';

/** The shape of a LocalObjectReference. */
export const LOCAL_OBJECT_REFERENCE: StructShape = struct('LocalObjectReference', {
  name: 'string',
});

/** The shape of an ObjectReference. */
export const OBJECT_REFERENCE: StructShape = struct('ObjectReference', {
  kind: 'string',
  namespace: 'string',
  name: 'string',
  uid: 'string',
  apiVersion: 'string',
  resourceVersion: 'string',
  fieldPath: 'string',
});

/** The shape of a TypedLocalObjectReference. */
export const TYPED_LOCAL_OBJECT_REFERENCE: StructShape = struct('TypedLocalObjectReference', {
  apiGroup: '*string',
  kind: 'string!',
  name: 'string!',
});

/** The shape of a TypedObjectReference. */
export const TYPED_OBJECT_REFERENCE: StructShape = struct('TypedObjectReference', {
  apiGroup: '*string',
  kind: 'string!',
  name: 'string!',
  namespace: '*string',
});

const NODE_SELECTOR_REQUIREMENT: StructShape = struct('NodeSelectorRequirement', {
  key: 'string!',
  operator: 'string!',
  values: list('string'),
});

/** The shape of a NodeSelectorTerm. */
export const NODE_SELECTOR_TERM: StructShape = struct('NodeSelectorTerm', {
  matchExpressions: list(NODE_SELECTOR_REQUIREMENT),
  matchFields: list(NODE_SELECTOR_REQUIREMENT),
});

/** The shape of a NodeSelector. */
export const NODE_SELECTOR: StructShape = struct('NodeSelector', {
  nodeSelectorTerms: list(NODE_SELECTOR_TERM, { always: true }),
});

/** The shape of a ConfigMapKeySelector. */
export const CONFIG_MAP_KEY_SELECTOR: StructShape = struct('ConfigMapKeySelector', {
  'name=1.1': 'string',
  'key=2': 'string!',
  optional: '*bool',
});

/** The shape of a SecretKeySelector. */
export const SECRET_KEY_SELECTOR: StructShape = struct('SecretKeySelector', {
  'name=1.1': 'string',
  'key=2': 'string!',
  optional: '*bool',
});

/** The shape of an ObjectFieldSelector. */
export const OBJECT_FIELD_SELECTOR: StructShape = struct('ObjectFieldSelector', {
  apiVersion: 'string',
  fieldPath: 'string!',
});

/** The shape of a ResourceFieldSelector. */
export const RESOURCE_FIELD_SELECTOR: StructShape = struct('ResourceFieldSelector', {
  containerName: 'string',
  resource: 'string!',
  divisor: 'quantity!',
});

/** The shape of a Toleration. */
export const TOLERATION: StructShape = struct('Toleration', {
  key: 'string',
  operator: 'string',
  value: 'string',
  effect: 'string',
  tolerationSeconds: '*int64',
});
