/** The size limit of objects: every engine has the limit of etcd, so that objects can move between engines. */

import { objectTooLarge, utf8Length } from '@listwatch/api';
import { MAX_OBJECT_BYTES } from './size-budget.ts';

/**
 * Room for the rest of the etcd request, and for a deletion timestamp: deleting an object of maximum size must work.
 */
const OVERHEAD_BYTES = 512;

/** Would etcd take the transaction that stores an object of this size? */
export function isStorableSize(key: string, bytes: number): boolean {
  // The transaction has the key three times: in the compare, in the put and in the read after a conflict.
  return bytes + 3 * utf8Length(key) + OVERHEAD_BYTES <= MAX_OBJECT_BYTES;
}

/** Throws the 500 of kube-apiserver for an object that etcd would refuse. */
export function requireStorableSize(key: string, bytes: number): void {
  if (!isStorableSize(key, bytes)) throw objectTooLarge();
}
