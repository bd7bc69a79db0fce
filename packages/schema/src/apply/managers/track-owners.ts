/** The managers after a write that is not an apply. */

import type { Steps } from '../../custom/steps.ts';
import type { JsonRecord } from '../../decode/json-record.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { OwnershipError } from '../ownership-error.ts';
import { SAME } from '../typed/change-level.ts';
import { typeProblem } from '../typed/type-problems.ts';
import { type Managers, managerIdentity } from './managed-entry.ts';
import { capUpdateManagers } from './manager-cap.ts';
import { ownableFields, reconciledManagers, remainingManagers, takenFields } from './owner-change.ts';
import { ObjectVersions, ownType, VersionedComparison } from './typed-versions.ts';

/** One write. The objects have no managedFields. */
export interface OwnedWrite {
  readonly live: JsonRecord;
  readonly next: JsonRecord;
  readonly manager: string;
}

/** Changed and added fields go to the writer and leave all others; removed ones leave all. Throws when an object does not fit. */
export function* trackOwners(context: OwnershipContext, write: OwnedWrite, managers: Managers): Steps<Managers> {
  const { apiVersion, subresource = '' } = context;
  const { live, next } = write;
  const type = ownType(context);
  for (const object of [next, live]) {
    const problem = typeProblem(object, type, { allowsDuplicates: true });
    if (problem !== undefined) throw new OwnershipError('OBJECT_MISMATCH', problem);
    yield;
  }
  const stored = new ObjectVersions(context, live);
  const reconciled = reconciledManagers(context, stored, managers);
  const comparison = new VersionedComparison(context, stored, new ObjectVersions(context, next));
  const { added, modified } = comparison.in(apiVersion) ?? SAME;
  yield;
  const taken = takenFields(reconciled, comparison, undefined);
  yield;
  const result = remainingManagers(reconciled, comparison, taken, undefined);
  yield;
  const fields = ownableFields(modified.union(added));
  if (!fields.isEmpty) {
    const info = {
      manager: write.manager === '' ? 'unknown' : write.manager,
      operation: 'Update',
      apiVersion,
      subresource,
    } as const;
    const identity = managerIdentity(info);
    const own = result.get(identity);
    result.set(identity, { ...info, fields: own?.fields.union(fields) ?? fields, time: context.now() });
  }
  return capUpdateManagers(result);
}
