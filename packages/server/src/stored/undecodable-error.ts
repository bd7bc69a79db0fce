/** The error for a value of the store that is no object. */

import { StorageError } from '@listwatch/storage';

/** The error for a value that cannot be decoded. It quotes nothing of the value, which may be a Secret. */
export function undecodableError(key: string, revision: bigint): StorageError {
  const message = `the value of ${key} at revision ${revision} cannot be decoded: delete it with ignoreStoreReadErrorWithClusterBreakingPotential`;
  return new StorageError('CORRUPT', message, { key });
}
