/** Errors as values, so that a test can look at all of one. */

import { isStorageError, type StorageError } from '@listwatch/storage';

/** The `StorageError` that `operation` rejects with; anything else fails the test. */
export async function storageError(operation: Promise<unknown>): Promise<StorageError> {
  const error: unknown = await operation.then(
    () => new Error('expected a StorageError, but the operation succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!isStorageError(error)) throw error;
  return error;
}
