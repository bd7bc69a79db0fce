/** Namespace: a scope for names. Its objects are deleted before the namespace itself. */

import { checkQualifiedName, type FieldError, fieldInvalid } from '@listwatch/api';
import { listOf, recordOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import { listedFields } from '../../strategy/field-selection.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { labelName } from '../../validation/name-rules.ts';

/** The label with the name of the namespace, which every namespace has. Label selectors can select by it. */
export const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/** The finalizer in `spec` that keeps a namespace until all its objects are deleted. */
export const NAMESPACE_FINALIZER = 'kubernetes';

const UNDELETABLE: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** The rules of Namespace. */
export const namespace: KindRules = {
  // A namespace has no field `name`, but old clients select by it.
  fieldsOf: (object) => ({ 'status.phase': phaseOf(object), name: object.metadata.name ?? '' }),
  resolveField: listedFields(['status.phase', 'metadata.name']),
  columns: namedTable([column('Status', 'Whether the namespace is in use or going.')], (object) => [phaseOf(object)]),
  applyDefaults,
  // A name that the server makes is not known to the defaults.
  onCreate: (object) => ({
    ...withNameLabel(object),
    spec: { finalizers: [...new Set([...finalizersOf(object), NAMESPACE_FINALIZER])] },
    status: { phase: 'Active' },
  }),
  onUpdate: (object, old) => ({ ...object, spec: old['spec'], status: old['status'] }),
  onStatusUpdate: (object, old) => ({ ...object, spec: old['spec'] }),
  onFinalize: (object, old) => ({ ...object, status: old['status'] }),
  validate,
  validateUpdate: (object, old) => [...validatePhase(object, old), ...validate(object)],
  strategy: {
    returnsDeletedObject: true,
    markDeleting: (object) => ({ ...object, status: { ...recordOf(object['status']), phase: 'Terminating' } }),
    holdsDeletion: (object) => finalizersOf(object).length > 0,
    refusesDeletion: (name) => (UNDELETABLE.includes(name) ? 'this namespace may not be deleted' : undefined),
  },
  checkName: labelName,
};

function applyDefaults(object: KubeObject): KubeObject {
  if (object.metadata.name === undefined) return object;
  const status = recordOf(object['status']);
  return { ...withNameLabel(object), status: { ...status, phase: status['phase'] ?? 'Active' } };
}

function withNameLabel(object: KubeObject): KubeObject {
  const { metadata } = object;
  const { name, labels } = metadata;
  if (name === undefined || labels?.[NAMESPACE_NAME_LABEL] === name) return object;
  return { ...object, metadata: { ...metadata, labels: { ...labels, [NAMESPACE_NAME_LABEL]: name } } };
}

function phaseOf(object: KubeObject): string {
  return textOf(recordOf(object['status'])['phase']);
}

function finalizersOf(object: KubeObject): readonly string[] {
  return listOf(recordOf(object['spec'])['finalizers']).map(textOf);
}

function validate(object: KubeObject): readonly FieldError[] {
  return itemErrors(finalizersOf(object), validateFinalizer);
}

function validateFinalizer(finalizer: string): readonly FieldError[] {
  const field = 'spec.finalizers';
  const known = finalizer.includes('/') || finalizer === NAMESPACE_FINALIZER || OLD_FINALIZERS.includes(finalizer);
  return [
    ...checkQualifiedName(finalizer).map((complaint) => fieldInvalid(field, finalizer, complaint)),
    ...(known
      ? []
      : [fieldInvalid(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')]),
  ];
}

const OLD_FINALIZERS: readonly string[] = ['orphan', 'foregroundDeletion'];

function validatePhase(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const deleting = old.metadata.deletionTimestamp !== undefined;
  const wanted = deleting ? 'Terminating' : 'Active';
  const phase = phaseOf(object);
  if (phase === wanted) return [];
  const why = `may only be '${wanted}' if \`deletionTimestamp\` is ${deleting ? 'not empty' : 'empty'}`;
  return [fieldInvalid('status.Phase', phase, why)];
}
