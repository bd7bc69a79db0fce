/** What a manager has applied, taken from the object. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from './apply-type.ts';
import { type ManagedEntry, managerIdentity } from './managers/managed-entry.ts';
import { metadataOf, metadataText, rawManagedFields, withoutManagedFields } from './managers/managed-object.ts';
import { readManagers } from './managers/read-managers.ts';
import { OwnershipError } from './ownership-error.ts';
import { extractFields } from './typed/extract-fields.ts';
import { memberOf } from './typed/members.ts';
import { typedValueProblem } from './typed/type-problems.ts';

/** Whose fields are extracted. */
export interface ExtractOptions {
  readonly manager: string;
  /** Default: the main endpoint. */
  readonly subresource?: string;
}

/**
 * The fields of an object that a manager owns by apply, with `apiVersion`, `kind`, name and namespace, ready to be changed and
 * applied again. Undefined when the manager owns nothing. The object is in the version of the type. Throws an {@link OwnershipError}
 * when it does not fit the type, or when its managedFields cannot be read.
 */
export function extractOwnedFields(
  object: JsonRecord,
  type: ApplyType,
  options: ExtractOptions,
): JsonRecord | undefined {
  const { manager, subresource = '' } = options;
  const entry = appliedEntry(object, manager, subresource);
  if (entry === undefined) return undefined;
  const bare = withoutManagedFields(object);
  const problem = typedValueProblem(bare, type, { allowsDuplicates: true });
  if (problem !== undefined) throw new OwnershipError('OBJECT_MISMATCH', problem);
  const found = extractFields(bare, entry.fields.leaves(), type);
  const owned = isRecord(found) ? found : {};
  const names = ['name', 'namespace'].flatMap((name) => {
    const value = metadataText(object, name);
    return value === '' ? [] : [[name, value] as const];
  });
  return {
    apiVersion: memberOf(object, 'apiVersion') ?? entry.apiVersion,
    ...(Object.hasOwn(object, 'kind') ? { kind: object['kind'] } : {}),
    ...owned,
    metadata: { ...Object.fromEntries(names), ...metadataOf(owned) },
  };
}

function appliedEntry(object: JsonRecord, manager: string, subresource: string): ManagedEntry | undefined {
  const managers = readManagers(rawManagedFields(object));
  if ('problem' in managers) throw new OwnershipError('BAD_MANAGED_FIELDS', managers.problem);
  return managers.get(managerIdentity({ manager, operation: 'Apply', apiVersion: '', subresource }));
}
