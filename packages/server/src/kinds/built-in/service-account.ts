/** ServiceAccount: the identity of a pod towards the API. */

import { defineKind } from '../define-kind.ts';
import type { KubeObject, ResourceDefinition } from '../resource-definition.ts';
import { recordsOf } from '../shapes/json-value.ts';
import { objectShape } from '../shapes/object-meta-shape.ts';
import { LOCAL_OBJECT_REFERENCE, OBJECT_REFERENCE } from '../shapes/reference-shape.ts';
import { list } from '../shapes/shape.ts';
import { namedTable } from '../table-column.ts';

/** The definition of ServiceAccount. */
export const serviceAccount: ResourceDefinition = defineKind({
  resource: { plural: 'serviceaccounts', kind: 'ServiceAccount' },
  shortNames: ['sa'],
  shape: objectShape('ServiceAccount', {
    secrets: list(OBJECT_REFERENCE, { mergeKey: 'name' }),
    imagePullSecrets: list(LOCAL_OBJECT_REFERENCE),
    automountServiceAccountToken: '*bool',
  }),
  columns: namedTable([], () => []),
  onCreate: namesOnly,
  onUpdate: namesOnly,
  strategy: { returnsDeletedObject: true },
});

/** A secret is of the same namespace: its name says all. */
function namesOnly(object: KubeObject): KubeObject {
  return { ...object, secrets: recordsOf(object['secrets']).map(({ name }) => ({ name })) };
}
