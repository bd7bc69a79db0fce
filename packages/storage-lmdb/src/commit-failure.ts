/** What a failed transaction of LMDB means. */

import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { isStorageError, StorageError } from '@listwatch/storage';
import { corruptError } from './corrupt-error.ts';

/** LMDB's own code for a file that has reached the size of its map. */
const MDB_MAP_FULL = -30_792;

/** LMDB's codes for a file that contradicts itself: PAGE_NOTFOUND, CORRUPTED, PANIC and PROBLEM. */
const DAMAGED_CODES: ReadonlySet<unknown> = new Set([-30_797, -30_796, -30_795, -30_779]);

/** lmdb gives numbers, Node's file functions give names. EFBIG is what a limit on the size of files gives. */
const FULL_CODES: ReadonlySet<unknown> = new Set([
  MDB_MAP_FULL,
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  constants.errno.ENOSPC,
  constants.errno.EDQUOT,
  constants.errno.EFBIG,
]);

/** A disk with less than this left counts as full when a write failed: one transaction can be this large. */
const FULL_BYTES = 16 * 2 ** 20;

/** The error for a transaction that could not be written. `uncertain`: it may be on disk all the same. */
export async function commitFailure(error: unknown, folder: string, uncertain: boolean): Promise<StorageError> {
  const cause = await commitErrorOf(error);
  return writeFailure(cause, folder, uncertain);
}

/** The same for an error that lmdb threw at once. */
export function writeFailure(cause: unknown, folder: string, uncertain = false): StorageError {
  if (isStorageError(cause)) return cause;
  if (isDiskFull(cause, folder)) {
    const message = `the disk is full: the store in ${folder} could not be written; free some space, then writes work again`;
    return new StorageError('DISK_FULL', message, { cause, uncertain });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof Error && 'code' in cause && DAMAGED_CODES.has(cause.code)) {
    return corruptError(`the store in ${folder} could not be written: ${reason}`, { cause });
  }
  return new StorageError('UNAVAILABLE', `the store in ${folder} could not be written: ${reason}`, {
    cause,
    uncertain,
  });
}

/** lmdb rejects with a general error and delivers the real one later, in a promise. */
async function commitErrorOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  return Promise.resolve(error.commitError).catch((real: unknown) => real);
}

function isDiskFull(error: unknown, folder: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  if (FULL_CODES.has(error.code)) return true;
  // LMDB reports a write that fitted only in part as an input/output error: then the free space decides.
  return error.code === constants.errno.EIO && freeBytes(folder) < FULL_BYTES;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
