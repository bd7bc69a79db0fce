/** Server-side apply. */

import type { ManagedFieldsEntry, StatusCause } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from './apply-type.ts';
import { conflictReport, type ManagerConflict } from './managers/apply-conflict.ts';
import { KUBECTL, lastAppliedFields, withLastApplied } from './managers/last-applied.ts';
import { type Managers, printManagers } from './managers/managed-entry.ts';
import { metadataText, rawManagedFields, withoutManagedFields } from './managers/managed-object.ts';
import { type MergeAttempt, mergeConfiguration } from './managers/merge-configuration.ts';
import { readManagers } from './managers/read-managers.ts';
import { trackOwners } from './managers/track-owners.ts';
import { goKindText, ownType } from './managers/typed-versions.ts';
import type { OwnershipContext } from './ownership-context.ts';
import { OwnershipError } from './ownership-error.ts';
import { typedValueProblem } from './typed/type-problems.ts';

/** One apply. */
export interface AppliedConfiguration {
  /** The stored object with its managedFields, in canonical form and in the version of the context; undefined: the apply creates. */
  readonly live: JsonRecord | undefined;
  /** What the client has sent, with `apiVersion` and `kind`, and without managedFields. */
  readonly config: JsonRecord;
  readonly manager: string;
  readonly force?: boolean;
}

/** What became of an apply. */
export type ApplyConfigurationResult = SuccessfulApply | ConflictingApply;

/** The apply has a result. */
export interface SuccessfulApply {
  readonly outcome: 'applied';
  /**
   * The result without managedFields, still to be converted, completed by defaults and checked. It shares parts with `live` and
   * `config`. A container whose last field was removed is null.
   */
  readonly object: JsonRecord;
  /** False: the object equals `live`; at most its managedFields and the annotation of kubectl have changed. */
  readonly isChanged: boolean;
  /** Undefined: the object has none. */
  readonly managedFields: readonly ManagedFieldsEntry[] | undefined;
}

/** Other managers own fields that the apply would change. The answer is a 409 with this message and these causes. */
export interface ConflictingApply {
  readonly outcome: 'conflict';
  readonly message: string;
  readonly causes: readonly StatusCause[];
}

/**
 * Merges a configuration into an object and removes what the manager has applied before and does not apply any more, as far as
 * nobody else owns it. Throws an {@link OwnershipError} when an object does not fit its schema, and what `convert` throws.
 */
export function applyConfiguration(context: OwnershipContext, apply: AppliedConfiguration): ApplyConfigurationResult {
  const { manager, force = false } = apply;
  const type = ownType(context);
  const config = withoutManagedFields(apply.config);
  const stored = apply.live ?? context.zero();
  const live = withoutManagedFields(stored);
  const managers = managersBefore(context, live, rawManagedFields(stored));
  requireFit(config, type, context, 'patch');
  requireFit(live, type, context, 'live');
  const attempt = { live, config, manager, managers, type };
  let result = mergeConfiguration(context, attempt, force);
  if ('conflicts' in result) {
    const conflicts = manager === KUBECTL ? unsolvedConflicts(context, attempt, result.conflicts) : result.conflicts;
    if (conflicts.length > 0) return { outcome: 'conflict', ...conflictReport(conflicts) };
    result = mergeConfiguration(context, attempt, true);
    if ('conflicts' in result) return { outcome: 'conflict', ...conflictReport(result.conflicts) };
  }
  const object = manager === KUBECTL ? withLastApplied(result.object, config) : result.object;
  const managedFields = printManagers(result.managers);
  return {
    outcome: 'applied',
    object,
    isChanged: result.isChanged,
    managedFields,
  };
}

const BEFORE_FIRST_APPLY = 'before-first-apply';

/** An object that was not tracked belongs, as it is, to a manager of its own. */
function managersBefore(context: OwnershipContext, live: JsonRecord, managedFields: unknown): Managers {
  const managers = readManagers(managedFields);
  if ('problem' in managers) {
    throw new OwnershipError('BAD_MANAGED_FIELDS', `failed to decode managed fields: ${managers.problem}`);
  }
  if (managers.size > 0) return managers;
  const zero = withoutManagedFields(context.zero());
  return trackOwners(context, { live: zero, next: live, manager: BEFORE_FIRST_APPLY }, managers);
}

function requireFit(object: JsonRecord, type: ApplyType, context: OwnershipContext, role: 'live' | 'patch'): void {
  const problem = typedValueProblem(object, type, { allowsDuplicates: role === 'live' });
  if (problem === undefined) return;
  const name = `${metadataText(object, 'namespace')}/${metadataText(object, 'name')}`;
  const kind = goKindText(context.apiVersion, context.kind);
  throw new OwnershipError(
    role === 'patch' ? 'CONFIG_MISMATCH' : 'OBJECT_MISMATCH',
    `failed to create typed ${role} object (${name}; ${kind}): ${problem}`,
  );
}

/** What kubectl has applied on the client's side is its own. */
function unsolvedConflicts(
  { apiVersion }: OwnershipContext,
  { live, type }: MergeAttempt,
  conflicts: readonly ManagerConflict[],
): readonly ManagerConflict[] {
  const allowed = lastAppliedFields(live, apiVersion, type);
  if (allowed === undefined) return conflicts;
  return conflicts.flatMap((conflict) => {
    const fields = conflict.fields.difference(allowed);
    return fields.isEmpty ? [] : [{ ...conflict, fields }];
  });
}
