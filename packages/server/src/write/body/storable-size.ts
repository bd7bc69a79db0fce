/** The size limit of objects: every engine has the limit of etcd, so that objects can move between engines. */

import { objectTooLarge } from '@listwatch/api';
import { type KubeObject, MAX_OBJECT_BYTES, withManagedFields } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { writtenObject } from '../../stored/stored-object.ts';
import type { WrittenObject } from '../../stored/written-objects.ts';

/**
 * Room for the rest of the etcd request, and for a deletion timestamp: deleting an object of maximum size must work.
 */
const OVERHEAD_BYTES = 512;

/** Throws the 500 of kube-apiserver for an object whose transaction etcd would refuse. `value`: the stored bytes. */
export function requireStorableSize(key: string, value: Uint8Array): void {
  if (!isStorable(key, value)) throw objectTooLarge();
}

/** An object as it fits the store, and its bytes. */
export interface FittingObject {
  readonly object: KubeObject;
  readonly made: WrittenObject;
}

/**
 * The bytes of an object to store. One that is too large only with its `managedFields` is stored without them if `dropsOwners`,
 * as kube-apiserver does for all writes but an apply. Throws as `requireStorableSize` does.
 */
export function storableObject(
  definition: ResourceDefinition,
  key: string,
  object: KubeObject,
  dropsOwners = true,
): FittingObject {
  const whole = { object, made: writtenObject(definition, object) };
  if (isStorable(key, whole.made.value)) return whole;
  const bare = withManagedFields(object, undefined);
  const fitting = dropsOwners ? { object: bare, made: writtenObject(definition, bare) } : whole;
  requireStorableSize(key, fitting.made.value);
  return fitting;
}

function isStorable(key: string, value: Uint8Array): boolean {
  // An etcd transaction has the key three times: in the compare, in the put and in the read after a conflict.
  return value.byteLength + 3 * Buffer.byteLength(key) + OVERHEAD_BYTES <= MAX_OBJECT_BYTES;
}
