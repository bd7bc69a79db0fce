/** The owners of `replicas`, between an object and its scale subresource. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import { FieldSet, fieldPath, type ManagedFieldPath } from './fields/field-set.ts';
import { type ManagedEntry, type Managers, printManagers } from './managers/managed-entry.ts';
import { readManagers } from './managers/read-managers.ts';
import { OwnershipError } from './ownership-error.ts';

/** Where each version of the scaled kind has its replicas; null: the version has no scale. Entries of other versions are dropped. */
export type ReplicasPaths = ReadonlyMap<string, ManagedFieldPath | null>;

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = fieldPath('spec', 'replicas');

/**
 * The managedFields of the Scale: the entries of the object that own its replicas. Undefined: nobody does. Throws an
 * {@link OwnershipError} when the managedFields cannot be read.
 */
export function scaleManagedFields(
  managedFields: readonly ManagedFieldsEntry[] | undefined,
  paths: ReplicasPaths,
): readonly ManagedFieldsEntry[] | undefined {
  const found = new Map<string, ManagedEntry>();
  for (const [identity, entry] of requireManagers(managedFields)) {
    const path = paths.get(entry.apiVersion) ?? undefined;
    if (path === undefined || !entry.fields.has(path)) continue;
    found.set(identity, { ...entry, apiVersion: SCALE_VERSION, fields: FieldSet.of(SCALE_REPLICAS) });
  }
  return printManagers(found);
}

/** A write of a Scale, seen from its object. */
export interface ScaledObject {
  /** The managedFields of the stored object. */
  readonly managedFields: readonly ManagedFieldsEntry[] | undefined;
  /** The managers of the Scale after the write. */
  readonly scale: readonly ManagedFieldsEntry[] | undefined;
  /** The version of the object's endpoint. */
  readonly apiVersion: string;
  readonly paths: ReplicasPaths;
}

/** The managedFields of the object after its Scale was written. Undefined: it has none. Throws as {@link scaleManagedFields} does. */
export function scaledManagedFields(write: ScaledObject): readonly ManagedFieldsEntry[] | undefined {
  const { managedFields, scale, apiVersion, paths } = write;
  const owners = new Map(requireManagers(scale));
  const result = new Map<string, ManagedEntry>();
  for (const [identity, entry] of requireManagers(managedFields)) {
    const path = paths.get(entry.apiVersion);
    if (path === undefined) continue;
    const owns = path !== null && entry.fields.has(path);
    // An owner of replicas that is none any more has lost them to another manager.
    const fields = owns && !owners.has(identity) ? entry.fields.difference(FieldSet.of(path)) : entry.fields;
    if (!fields.isEmpty) result.set(identity, { ...entry, fields });
    if (owns) owners.delete(identity);
  }
  const path = paths.get(apiVersion);
  for (const [identity, entry] of owners) {
    if (!entry.fields.has(SCALE_REPLICAS) || path === undefined || path === null) continue;
    // Kubernetes keeps no times of entries that are new.
    result.set(identity, { ...entry, apiVersion, time: undefined, fields: FieldSet.of(path) });
  }
  return printManagers(result);
}

function requireManagers(managedFields: unknown): Managers {
  const managers = readManagers(managedFields);
  if ('problem' in managers) throw new OwnershipError('BAD_MANAGED_FIELDS', managers.problem);
  return managers;
}
