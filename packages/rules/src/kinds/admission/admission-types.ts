/** The types of `request` and `namespaceObject`, field by field as kube-apiserver declares them. */

import { BOOL, type CelType, DYN, INT, listType, mapType, objectType, STRING, TIMESTAMP } from '@listwatch/cel';
/** The type of `request`. */
export const REQUEST_TYPE: CelType = objectType('kubernetes.AdmissionRequest');
/** The type of `namespaceObject`. */
export const NAMESPACE_TYPE: CelType = objectType('kubernetes.Namespace');

const KIND = objectType('kubernetes.GroupVersionKind');
const RESOURCE = objectType('kubernetes.GroupVersionResource');
const USER = objectType('kubernetes.UserInfo');
const METADATA = objectType('kubernetes.NamespaceMetadata');
const SPEC = objectType('kubernetes.NamespaceSpec');
const STATUS = objectType('kubernetes.NamespaceStatus');
const CONDITION = objectType('kubernetes.NamespaceCondition');
const STRINGS = listType(STRING);
const LABELS = mapType(STRING, STRING);

/** The fields of the types, by their names. */
export const ADMISSION_TYPES: ReadonlyMap<string, ReadonlyMap<string, CelType>> = new Map([
  fieldsOf(KIND, { group: STRING, version: STRING, kind: STRING }),
  fieldsOf(RESOURCE, { group: STRING, version: STRING, resource: STRING }),
  fieldsOf(USER, { username: STRING, uid: STRING, groups: STRINGS, extra: mapType(STRING, STRINGS) }),
  fieldsOf(REQUEST_TYPE, {
    kind: KIND,
    resource: RESOURCE,
    subResource: STRING,
    requestKind: KIND,
    requestResource: RESOURCE,
    requestSubResource: STRING,
    name: STRING,
    namespace: STRING,
    operation: STRING,
    userInfo: USER,
    dryRun: BOOL,
    options: DYN,
  }),
  fieldsOf(NAMESPACE_TYPE, { metadata: METADATA, spec: SPEC, status: STATUS }),
  fieldsOf(METADATA, {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: LABELS,
    annotations: LABELS,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: STRINGS,
  }),
  fieldsOf(SPEC, { finalizers: STRINGS }),
  fieldsOf(STATUS, { conditions: listType(CONDITION), phase: STRING }),
  fieldsOf(CONDITION, {
    status: STRING,
    type: STRING,
    lastTransitionTime: TIMESTAMP,
    message: STRING,
    reason: STRING,
  }),
]);

function fieldsOf(
  { name }: CelType,
  fields: Readonly<Record<string, CelType>>,
): readonly [string, ReadonlyMap<string, CelType>] {
  return [name, new Map(Object.entries(fields))];
}
