/** How large an object may be: every engine refuses what etcd would refuse, so that objects can move between engines. */

import { unknownError } from '@listwatch/api';

/** The largest request that an etcd with default settings takes. */
const MAX_REQUEST_BYTES = 1.5 * 1024 * 1024;

/** What a request holds beside keys and the value, and room for a deletion timestamp: a full object can be deleted. */
const OVERHEAD_BYTES = 512;

/** Throws the 500 of kube-apiserver for an object whose transaction etcd would refuse. `value` is what is stored. */
export function requireStorableSize(key: string, value: Uint8Array): void {
  // The key stands in the comparison, in the write and in the read that follows a conflict.
  const bytes = value.byteLength + 3 * Buffer.byteLength(key) + OVERHEAD_BYTES;
  if (bytes > MAX_REQUEST_BYTES) throw unknownError('etcdserver: request is too large');
}
