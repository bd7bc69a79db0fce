/** The owners of `replicas`, between an object and its scale subresource. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import type { FieldPath } from './field-set.ts';

/** Where each version of the scaled kind has its replicas; null: the version has no scale. Entries of other versions are dropped. */
export type ReplicasPaths = ReadonlyMap<string, FieldPath | null>;

/** The managedFields of the Scale: the entries of the object that own its replicas. Undefined: nobody does. */
export function scaleManagedFields(
  managedFields: readonly ManagedFieldsEntry[] | undefined,
  paths: ReplicasPaths,
): readonly ManagedFieldsEntry[] | undefined {
  throw new Error(`not built ${String(managedFields)} ${paths.size}`);
}

/** A write of a Scale, seen from its object. */
export interface ScaledObject {
  /** The managedFields of the stored object. */
  readonly managedFields: readonly ManagedFieldsEntry[] | undefined;
  /** Those of the Scale after the write. */
  readonly scale: readonly ManagedFieldsEntry[] | undefined;
  /** The version of the object's endpoint. */
  readonly apiVersion: string;
  readonly paths: ReplicasPaths;
}

/** The managedFields of the object after its Scale was written. Undefined: it has none. */
export function scaledManagedFields(write: ScaledObject): readonly ManagedFieldsEntry[] | undefined {
  throw new Error(`not built ${write.apiVersion}`);
}
