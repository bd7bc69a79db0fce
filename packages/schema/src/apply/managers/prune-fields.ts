/** Removes what a manager has applied before and does not apply any more. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from '../apply-type.ts';
import { FieldSet } from '../fields/field-set.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { OwnershipError } from '../ownership-error.ts';
import { fieldSetOf } from '../typed/field-set-of.ts';
import { namedFields } from '../typed/named-fields.ts';
import { ownsContainer } from '../typed/owns-container.ts';
import { removeFields } from '../typed/remove-fields.ts';
import type { ManagedEntry, Managers } from './managed-entry.ts';
import { inVersion, type VersionedObject } from './typed-versions.ts';

/** The object without what only `last` owned. Another manager keeps what it owns; so does the applier in its new entry. */
export function pruneFields(
  context: OwnershipContext,
  object: JsonRecord,
  managers: Managers,
  last: ManagedEntry | undefined,
  mine: ManagedEntry,
): JsonRecord {
  if (last === undefined || last.fields.isEmpty) return object;
  if (isAllKept(context, object, last, mine)) return object;
  const merged = inVersion(
    context,
    { apiVersion: context.apiVersion, object },
    last.apiVersion,
    `${FAILED}: failed to convert merged object to last applied version: `,
  );
  const type = context.typeOf(last.apiVersion);
  if (merged === undefined || type === undefined) return object;
  const dropped = without(merged, namedFields(last.fields, type), type);
  const kept = keepOwned(context, merged, dropped, managers);
  const pruned = inVersion(
    context,
    kept,
    last.apiVersion,
    `${FAILED}: failed add back dangling items: failed to convert pruned object to last applied version: `,
  );
  const lost = pruned === undefined ? FieldSet.EMPTY : lostFields(merged, pruned, type);
  const result = without(merged, lost.intersection(namedFields(last.fields, type)), type);
  return inVersion(context, result, context.apiVersion, `${FAILED}: `)?.object ?? object;
}

const FAILED = 'failed to prune fields';

/** All that was applied before is applied again: then nothing is pruned, and no set of the whole object is needed. */
function isAllKept(
  context: OwnershipContext,
  object: JsonRecord,
  last: ManagedEntry,
  { apiVersion, fields }: ManagedEntry,
): boolean {
  if (last.apiVersion !== apiVersion || !last.fields.isWithin(fields)) return false;
  const type = context.typeOf(apiVersion);
  return type !== undefined && !ownsContainer(object, last.fields, type);
}

/** Gives back what managers own, in the version of each; first in the version of the objects, so that they can be converted. */
function keepOwned(
  context: OwnershipContext,
  merged: VersionedObject,
  dropped: VersionedObject,
  managers: Managers,
): VersionedObject {
  const owned = new Map<string, FieldSet[]>();
  for (const { apiVersion, fields } of managers.values()) {
    const sets = owned.get(apiVersion);
    if (sets === undefined) owned.set(apiVersion, [fields]);
    else sets.push(fields);
  }
  const isFirst = ([apiVersion]: [string, unknown]): number => (apiVersion === merged.apiVersion ? 0 : 1);
  let whole = merged;
  let kept = dropped;
  for (const [apiVersion, sets] of [...owned].toSorted((one, other) => isFirst(one) - isFirst(other))) {
    const type = context.typeOf(apiVersion);
    const failure = (what: string): string =>
      `${FAILED}: failed add back owned items: failed to convert ${what} object at version ${apiVersion}: `;
    const wholeHere = inVersion(context, whole, apiVersion, failure('merged'));
    const keptHere = inVersion(context, kept, apiVersion, failure('pruned'));
    if (type === undefined || wholeHere === undefined || keptHere === undefined) continue;
    whole = wholeHere;
    const lost = lostFields(whole, keptHere, type);
    kept = without(whole, lost.difference(namedFields(FieldSet.union(sets), type)), type);
  }
  return kept;
}

/** The fields of an object that another one lacks. */
function lostFields(whole: VersionedObject, part: VersionedObject, type: ApplyType): FieldSet {
  return namedFields(fieldSetOf(whole.object, type), type).difference(namedFields(fieldSetOf(part.object, type), type));
}

function without({ apiVersion, object }: VersionedObject, fields: FieldSet, type: ApplyType): VersionedObject {
  const left = removeFields(object, fields, type);
  if (!isRecord(left)) {
    throw new OwnershipError('OBJECT_MISMATCH', 'failed to convert value to unstructured for type <nil>');
  }
  return { apiVersion, object: left };
}
