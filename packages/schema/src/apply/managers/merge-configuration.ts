/** One attempt to apply: the merged object and its managers, or the conflicts. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from '../apply-type.ts';
import { equalValues } from '../fields/json-equality.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { OwnershipError } from '../ownership-error.ts';
import { fieldSetOf } from '../typed/field-set-of.ts';
import { mergeTyped } from '../typed/merge-typed.ts';
import { conflictsOf, type ManagerConflict } from './apply-conflict.ts';
import { type ManagedEntry, type Managers, managerIdentity } from './managed-entry.ts';
import { ownableFields, reconciledManagers, remainingManagers, takenFields } from './owner-change.ts';
import { pruneFields } from './prune-fields.ts';
import { TypedVersions, VersionedComparison } from './typed-versions.ts';

/** What is applied, to what. The objects fit their type and have no managedFields. */
export interface MergeAttempt {
  readonly live: JsonRecord;
  readonly config: JsonRecord;
  readonly manager: string;
  readonly managers: Managers;
  readonly type: ApplyType;
}

/** What became of an attempt. */
export type MergeResult =
  | { readonly object: JsonRecord; readonly isChanged: boolean; readonly managers: Managers }
  | { readonly conflicts: readonly ManagerConflict[] };

/** In steps. Without `force`, fields that others own and that would change are conflicts. */
export function mergeConfiguration(context: OwnershipContext, attempt: MergeAttempt, force: boolean): MergeResult {
  const { live, config, type } = attempt;
  const stored = new TypedVersions(context, live);
  const managers = reconciledManagers(context, stored, attempt.managers);
  const { identity, entry } = newEntry(context, attempt);
  const last = managers.get(identity);
  managers.set(identity, { ...entry, time: last?.time });
  const merged = mergeTyped(live, config, type);
  if (!isRecord(merged)) throw new OwnershipError('OBJECT_MISMATCH', 'the merged object is not an object');
  const object = pruneFields(context, merged, managers, last, entry);
  const isChanged = !equalValues(live, object);
  const comparison = new VersionedComparison(context, stored, isChanged ? new TypedVersions(context, object) : stored);
  const taken = takenFields(managers, comparison, identity);
  if (taken.size > 0 && !force) return { conflicts: conflictsOf(managers, taken) };
  const remaining = remainingManagers(managers, comparison, taken, identity);
  const own = remaining.get(identity);
  if (own !== undefined) {
    const fields = ownableFields(own.fields);
    if (fields.isEmpty) remaining.delete(identity);
    else remaining.set(identity, { ...own, fields, time: isChanged ? context.now() : own.time });
  }
  return { object: isChanged ? object : live, isChanged, managers: remaining };
}

function newEntry(
  context: OwnershipContext,
  { config, manager, type }: MergeAttempt,
): { readonly identity: string; readonly entry: ManagedEntry } {
  const { apiVersion, subresource = '' } = context;
  const info = { manager: manager === '' ? 'unknown' : manager, operation: 'Apply', apiVersion, subresource } as const;
  const reset = context.resetFields?.(apiVersion);
  const fields = fieldSetOf(config, type);
  return {
    identity: managerIdentity(info),
    entry: { ...info, time: undefined, fields: reset === undefined ? fields : fields.without(reset) },
  };
}
