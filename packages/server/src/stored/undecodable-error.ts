/** The error for a stored value that is no object. */

import { StorageError } from '@listwatch/storage';

/** The error for a value that cannot be decoded. It does not quote the value, which may be a Secret. */
export function undecodableError(key: string, revision: bigint): StorageError {
  const message = `the value of ${key} at revision ${revision} cannot be decoded: delete it with ignoreStoreReadErrorWithClusterBreakingPotential`;
  return new StorageError('CORRUPT', message, { key });
}
