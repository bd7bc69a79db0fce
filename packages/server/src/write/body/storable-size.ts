/** How large an object may be: every engine refuses what etcd would refuse, so that objects can move between engines. */

import { objectTooLarge } from '@listwatch/api';
import { type KubeObject, MAX_OBJECT_BYTES, withManagedFields } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { writtenObject } from '../../stored/stored-object.ts';
import type { WrittenObject } from '../../stored/written-objects.ts';

/** What a request holds beside keys and the value, and room for a deletion timestamp: a full object can be deleted. */
const OVERHEAD_BYTES = 512;

/** Throws the 500 of kube-apiserver for an object whose transaction etcd would refuse. `value` is what is stored. */
export function requireStorableSize(key: string, value: Uint8Array): void {
  if (!isStorable(key, value)) throw objectTooLarge();
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
): WrittenObject {
  const made = writtenObject(definition, object);
  if (isStorable(key, made.value)) return made;
  const without = dropsOwners ? writtenObject(definition, withManagedFields(object, undefined)) : made;
  requireStorableSize(key, without.value);
  return without;
}

function isStorable(key: string, value: Uint8Array): boolean {
  // The key stands in the comparison, in the write and in the read that follows a conflict.
  return value.byteLength + 3 * Buffer.byteLength(key) + OVERHEAD_BYTES <= MAX_OBJECT_BYTES;
}
