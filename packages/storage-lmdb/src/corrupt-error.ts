/** The error for a store whose tables do not say what they must. */

import { isStorageError, StorageError } from '@listwatch/storage';

/** `message` says what is wrong, `key` which key it concerns. */
export function corruptError(message: string, details: { key?: string; cause?: unknown } = {}): StorageError {
  return new StorageError('CORRUPT', `the store is damaged: ${message}`, details);
}

/** What a failed read of the tables is: LMDB's own errors and decoding errors mean that the file is damaged. */
export function readFailure(cause: unknown, what: string, key?: string): StorageError {
  if (isStorageError(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return corruptError(`${what} cannot be read: ${reason}`, key === undefined ? { cause } : { cause, key });
}
