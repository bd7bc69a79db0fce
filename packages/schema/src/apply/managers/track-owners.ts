/** The managers after a write that is not an apply. */

import { extended, type JsonRecord } from '@listwatch/api/values';
import { CREATED_SETS } from '../fields/created-sets.ts';
import type { FieldSet } from '../fields/field-set.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { OwnershipError } from '../ownership-error.ts';
import { SAME } from '../typed/change-level.ts';
import { typedValueProblem } from '../typed/type-problems.ts';
import { type ManagedEntry, type Managers, managerIdentity } from './managed-entry.ts';
import { capUpdateManagers } from './manager-cap.ts';
import { objectShape } from './object-shape.ts';
import { ownableFields, reconciledManagers, remainingManagers, takenFields } from './owner-change.ts';
import { ownType, TypedVersions, VersionedComparison } from './typed-versions.ts';

/** One write. The objects have no managedFields. */
export interface TrackedWrite {
  readonly live: JsonRecord;
  readonly next: JsonRecord;
  readonly manager: string;
}

/**
 * The managers of a created object that came without any. An object with the shape of one that was created before is not looked at
 * again. Throws when it does not fit.
 */
export function trackCreation(context: OwnershipContext, write: TrackedWrite): Managers {
  const type = ownType(context);
  const shape = objectShape(context, type, write.next, write.live);
  const known = shape === undefined ? undefined : CREATED_SETS.get(shape);
  if (known !== undefined) return withWriter(context, write.manager, new Map(), known);
  const managers = trackOwners(context, write, new Map());
  const [made] = managers.values();
  if (shape !== undefined && made !== undefined) CREATED_SETS.set(shape, made.fields);
  return managers;
}

/** Changed and added fields go to the writer and leave all others; removed ones leave all. Throws when an object does not fit. */
export function trackOwners(context: OwnershipContext, write: TrackedWrite, managers: Managers): Managers {
  const { apiVersion } = context;
  const { live, next } = write;
  const type = ownType(context);
  for (const object of [next, live]) {
    const problem = typedValueProblem(object, type, { allowsDuplicates: true });
    if (problem !== undefined) throw new OwnershipError('OBJECT_MISMATCH', problem);
  }
  const stored = new TypedVersions(context, live);
  const reconciled = reconciledManagers(context, stored, managers);
  const comparison = new VersionedComparison(context, stored, new TypedVersions(context, next));
  const { added, modified } = comparison.in(apiVersion) ?? SAME;
  const taken = takenFields(reconciled, comparison, undefined);
  const result = remainingManagers(reconciled, comparison, taken, undefined);
  const fields = ownableFields(modified.union(added));
  if (!fields.isEmpty) withWriter(context, write.manager, result, fields);
  return capUpdateManagers(result);
}

/** Adds fields to those of the writer. */
function withWriter(
  context: OwnershipContext,
  manager: string,
  managers: Map<string, ManagedEntry>,
  fields: FieldSet,
): Managers {
  const { apiVersion, subresource = '' } = context;
  const info = { manager: manager === '' ? 'unknown' : manager, operation: 'Update', apiVersion, subresource } as const;
  const identity = managerIdentity(info);
  const own = managers.get(identity);
  const entry = extended(info, { fields: own?.fields.union(fields) ?? fields, time: context.now() });
  return managers.set(identity, entry);
}
