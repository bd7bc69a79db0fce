/** The one error type of every engine. */

import { ListWatchError } from '@listwatch/api';
import type { CommitResult, Revision } from './storage-engine.ts';

/** Codes of {@link StorageError}. Each is explained in `docs/reference/errors.md`. */
export type StorageErrorCode =
  | 'KEY_NOT_FOUND'
  | 'KEY_EXISTS'
  | 'CONFLICT'
  | 'BLOCKED'
  | 'COMPACTED'
  | 'FUTURE_REVISION'
  | 'TOO_LARGE'
  | 'UNAVAILABLE'
  | 'DISK_FULL'
  | 'CORRUPT'
  | 'IN_USE'
  | 'INCOMPATIBLE'
  | 'CLOSED';

/** The facts that go with a code. */
export interface StorageErrorDetails extends ErrorOptions {
  /** The key in question. */
  readonly key?: string | undefined;
  /** `COMPACTED`: the compacted revision. `FUTURE_REVISION`: the current one. `CONFLICT`, `BLOCKED`: the key's modRevision. */
  readonly revision?: Revision | undefined;
  /** `UNAVAILABLE` on a commit: it may have been carried out although no answer came. Default false. */
  readonly uncertain?: boolean | undefined;
}

/** A storage operation that could not be done. Tell cases apart by `code`. */
export class StorageError extends ListWatchError {
  override readonly code: StorageErrorCode;
  readonly key: string | undefined;
  readonly revision: Revision | undefined;
  readonly uncertain: boolean;

  constructor(code: StorageErrorCode, message: string, details: StorageErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.key = details.key;
    this.revision = details.revision;
    this.uncertain = details.uncertain ?? false;
  }
}

/** Whether `error` is a {@link StorageError}, with this code if one is given; true for errors of another copy too. */
export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  if (!(error instanceof Error) || error.name !== 'StorageError' || !('code' in error)) return false;
  return code === undefined || error.code === code;
}

/** The error for a read or watch that begins before the history. */
export function compactedError(asked: Revision, compacted: Revision): StorageError {
  return new StorageError('COMPACTED', `revision ${asked} has been compacted: the history begins at ${compacted}`, {
    revision: compacted,
  });
}

/** The error for a revision that has not happened yet. */
export function futureRevisionError(asked: Revision, current: Revision): StorageError {
  return new StorageError('FUTURE_REVISION', `revision ${asked} is in the future: the store is at ${current}`, {
    revision: current,
  });
}

/** The error of every operation on an engine after `close()`. */
export function closedError(): StorageError {
  return new StorageError('CLOSED', 'the storage engine has been closed');
}

/** The revision of a commit that must have succeeded; throws the refusal as a {@link StorageError} otherwise. */
export function requireCommitted(result: CommitResult, key: string): Revision {
  if (result.committed) return result.revision;
  const { current } = result;
  if (result.reason === 'BLOCKED') {
    const { key: other, revision } = result.blockedBy;
    const stands = revision === 0n ? 'does not exist' : `stands at revision ${revision}`;
    const text = `key ${JSON.stringify(key)} depends on ${JSON.stringify(other)}, which ${stands}`;
    throw new StorageError('BLOCKED', text, { key: other, revision });
  }
  const text = {
    KEY_EXISTS: 'already exists',
    KEY_NOT_FOUND: 'does not exist',
    CONFLICT: `was changed by another writer at revision ${current?.modRevision}`,
  }[result.reason];
  throw new StorageError(result.reason, `key ${JSON.stringify(key)} ${text}`, { key, revision: current?.modRevision });
}
