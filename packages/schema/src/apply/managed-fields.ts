/** `metadata.managedFields`: who owns which fields. */

import type { ManagedFieldsEntry } from '@listwatch/api';

/** Does a written list ask to reset managedFields: `[]` or `[{}]`? Null and absent do not. */
export function isManagedFieldsReset(managedFields: unknown): boolean {
  throw new Error(`not built ${String(managedFields)}`);
}

/** Whether managedFields can be read: every operation, version, fieldsType and FieldsV1 is good. */
export function areManagedFieldsReadable(managedFields: unknown): boolean {
  throw new Error(`not built ${String(managedFields)}`);
}

/**
 * The stored managedFields when they differ from the new ones in times only, and in one time at least; otherwise undefined.
 * When the rest of the object is equal too, the write keeps them and so writes nothing.
 */
export function managedFieldsButTimes(
  stored: readonly ManagedFieldsEntry[] | undefined,
  written: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  throw new Error(`not built ${String(stored)} ${String(written)}`);
}
