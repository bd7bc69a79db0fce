/** How large an object may be: every engine refuses what etcd would refuse, so that objects can move between engines. */

import { objectTooLarge } from '@listwatch/api';
import { MAX_OBJECT_BYTES } from '../kinds/json/size-budget.ts';

/** What a request holds beside keys and the value, and room for a deletion timestamp: a full object can be deleted. */
const OVERHEAD_BYTES = 512;

/** Throws the 500 of kube-apiserver for an object whose transaction etcd would refuse. `value` is what is stored. */
export function requireStorableSize(key: string, value: Uint8Array): void {
  // The key stands in the comparison, in the write and in the read that follows a conflict.
  const bytes = value.byteLength + 3 * Buffer.byteLength(key) + OVERHEAD_BYTES;
  if (bytes > MAX_OBJECT_BYTES) throw objectTooLarge();
}
