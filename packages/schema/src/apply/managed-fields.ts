/** `metadata.managedFields`: who owns which fields. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import { equalValues } from './fields/json-equality.ts';
import { readManagers } from './managers/read-managers.ts';
import { hasNoMembers } from './typed/members.ts';

/** Does a written list ask to reset managedFields: `[]` or `[{}]`? Null and absent do not. */
export function isManagedFieldsReset(managedFields: unknown): boolean {
  if (!Array.isArray(managedFields)) return false;
  const [first] = managedFields;
  return managedFields.length === 0 || (managedFields.length === 1 && isRecord(first) && hasNoMembers(first));
}

/** Whether managedFields can be read: every operation, version, fieldsType and FieldsV1 is good. */
export function areManagedFieldsReadable(managedFields: unknown): boolean {
  return !('problem' in readManagers(managedFields));
}

/**
 * The stored managedFields when they differ from the new ones in times only, and in one time at least; otherwise undefined.
 * When the rest of the object is equal too, the write keeps them and so writes nothing.
 */
export function managedFieldsButTimes(
  stored: readonly ManagedFieldsEntry[] | undefined,
  written: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  if (stored === undefined || written === undefined || stored.length !== written.length) return undefined;
  const pairs = stored.map((entry, index) => [entry, written[index] ?? {}] as const);
  if (pairs.every(([one, other]) => one.time === other.time)) return undefined;
  return pairs.every(([one, other]) => equalValues(withoutTime(one), withoutTime(other))) ? stored : undefined;
}

function withoutTime(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  return { ...entry, time: '' };
}
