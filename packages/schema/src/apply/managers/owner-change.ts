/** What a write takes from the other managers. */

import { FieldSet, fieldPath } from '../fields/field-set.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { reconciledFields } from '../typed/reconciled-fields.ts';
import type { ManagedEntry, Managers } from './managed-entry.ts';
import type { TypedVersions, VersionedComparison } from './typed-versions.ts';

/**
 * The entries after a change of their schema, without those of unknown versions. Throws when the stored object does not fit the schema of
 * one of them.
 */
export function reconciledManagers(
  context: OwnershipContext,
  live: TypedVersions,
  managers: Managers,
): Map<string, ManagedEntry> {
  const reconciled = new Map<string, ManagedEntry>();
  for (const [identity, entry] of managers) {
    const type = live.in(entry.apiVersion) && context.typeOf(entry.apiVersion);
    if (type !== undefined) reconciled.set(identity, withFields(entry, reconciledFields(entry.fields, type)));
  }
  return reconciled;
}

/** What the other managers own of what a write changes or adds, by their identities. */
export function takenFields(
  managers: Managers,
  comparison: VersionedComparison,
  writer: string | undefined,
): Map<string, FieldSet> {
  const taken = new Map<string, FieldSet>();
  for (const [identity, { apiVersion, fields }] of managers) {
    const changes = identity === writer ? undefined : comparison.in(apiVersion);
    if (changes === undefined) continue;
    const common = fields.intersection(changes.modified.union(changes.added));
    if (!common.isEmpty) taken.set(identity, common);
  }
  return taken;
}

/** The entries without what a write has taken from them and without what it has removed. Empty ones are dropped. */
export function remainingManagers(
  managers: Managers,
  comparison: VersionedComparison,
  taken: ReadonlyMap<string, FieldSet>,
  writer: string | undefined,
): Map<string, ManagedEntry> {
  const remaining = new Map<string, ManagedEntry>();
  for (const [identity, entry] of managers) {
    let { fields } = entry;
    if (identity !== writer) {
      const changes = comparison.in(entry.apiVersion);
      if (changes === undefined) continue;
      fields = fields.difference(taken.get(identity) ?? FieldSet.EMPTY).difference(changes.removed);
    }
    if (!fields.isEmpty) remaining.set(identity, withFields(entry, fields));
  }
  return remaining;
}

/** The entry with other fields; the same entry when they are the same. */
export function withFields(entry: ManagedEntry, fields: FieldSet): ManagedEntry {
  return fields === entry.fields ? entry : { ...entry, fields };
}

const NEVER_OWNED = FieldSet.of(
  fieldPath('apiVersion'),
  fieldPath('kind'),
  fieldPath('metadata'),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => fieldPath('metadata', name)),
);

/** Without the fields that nobody owns: the name of the object, its version, and what the server writes. */
export function ownableFields(fields: FieldSet): FieldSet {
  return fields.difference(NEVER_OWNED);
}
