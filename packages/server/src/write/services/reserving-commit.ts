/** Commits while reserving addresses until the outcome is known. */

import { type Change, type CommitResult, isStorageError, type StorageEngine } from '@listwatch/storage';
import type { ReleaseReservation } from '../../contract/reservation.ts';
import { guardedCommit, type HeldGuard } from '../held-guard.ts';
import { endWithRequest, type RequestSignal } from '../request-signal.ts';

/** How a change is committed. */
export interface ReservingCommitOptions {
  readonly request: RequestSignal;
  readonly release: ReleaseReservation | undefined;
  readonly held: readonly HeldGuard[] | undefined;
}

/** Commits, then tells `release` the outcome, also when the commit fails. */
export function reservingCommit(
  engine: StorageEngine,
  change: Change,
  { request, release, held }: ReservingCommitOptions,
): Promise<CommitResult> {
  const commit = (): Promise<CommitResult> =>
    held === undefined
      ? engine.commit(change, endWithRequest(engine, request))
      : guardedCommit(engine, change, held, request);
  // Without a reservation the engine's own promise is returned: wrapping it would cost every write a microtask.
  return release === undefined ? commit() : releasing(release, commit);
}

/** Waits for what may still refuse the write; what was reserved for it is free again then. */
export async function unlessRefused(check: Promise<void>, release: ReleaseReservation | undefined): Promise<void> {
  try {
    await check;
  } catch (error) {
    release?.({ type: 'nothing' });
    throw error;
  }
}

/** Tells `release` the outcome of a commit, also when it fails. */
export async function releasing(
  release: ReleaseReservation,
  commit: () => Promise<CommitResult>,
): Promise<CommitResult> {
  try {
    const result = await commit();
    release(result.committed ? { type: 'committed', revision: result.revision } : { type: 'nothing' });
    return result;
  } catch (error) {
    release({ type: isStorageError(error) && error.uncertain ? 'unknown' : 'nothing' });
    throw error;
  }
}
