/** The Status for a failure of the storage: the one place where a `StorageError` becomes one. */

import {
  expiredList,
  failure,
  internalError,
  objectTooLarge,
  type StatusError,
  serviceUnavailable,
  timeout,
  tooLargeResourceVersion,
} from '@listwatch/api';
import { isStorageError, type Revision, type StorageError } from '@listwatch/storage';

/** The failure to answer with. `revision` is the one that was asked for, for a read at one that has not happened yet. */
export function storageFailure(error: StorageError, revision?: Revision): StatusError {
  switch (error.code) {
    case 'COMPACTED':
      return expiredList();
    case 'FUTURE_REVISION':
      return tooLargeResourceVersion(revision ?? (error.revision ?? 0n) + 1n, error.revision ?? 0n);
    case 'TOO_LARGE':
      return objectTooLarge();
    case 'UNAVAILABLE':
      return unavailable();
    case 'DISK_FULL':
      return diskFull(error);
    case 'CLOSED':
      return serviceUnavailable('apiserver is shutting down');
    case 'KEY_NOT_FOUND':
    case 'KEY_EXISTS':
    case 'CONFLICT':
    case 'BLOCKED':
    case 'CORRUPT':
    case 'IN_USE':
    case 'INCOMPATIBLE':
      return internalError(error.message);
  }
}

/**
 * 504 without a Retry-After, as kube-apiserver answers when etcd is gone. The write may have been carried out: with a Retry-After
 * client-go and our own client would send it again, and undo what another writer did in between.
 */
function unavailable(): StatusError {
  return timeout('request did not complete within requested timeout - the storage is unavailable');
}

/**
 * 507. kube-apiserver answers 500 when etcd has no space; this code lets clients and proxies tell a full disk from a bug.
 * Without a Retry-After: client-go would hold every write back for ten attempts of it.
 */
function diskFull({ message }: StorageError): StatusError {
  return failure({ code: 507, reason: 'InsufficientStorage', message });
}

/**
 * Does `task`, which may read at `revision`, and turns the failures of the storage into those of the API. Other errors pass
 * unchanged.
 */
export async function reportingStorage<T>(task: () => Promise<T>, revision?: Revision): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw isStorageError(error) ? storageFailure(error, revision) : error;
  }
}
