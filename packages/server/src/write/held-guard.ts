/** Commits a change while what was checked before is still true. */

import type { Change, CommitGuard, CommitResult, StorageEngine } from '@listwatch/storage';
import { endWithRequest, type RequestSignal } from './request-signal.ts';

/** Another object that a write depends on. */
export interface HeldGuard {
  /** The object as it was checked. */
  readonly guard: CommitGuard;
  /** Checks the object again after it has changed; throws the refusal of the write when it no longer suits. */
  readonly renew: () => Promise<CommitGuard>;
}

/**
 * Commits the change. When one of the other objects has changed, that one is checked again and the commit repeated: the change
 * itself stays. Ends with the request at the latest.
 */
export async function guardedCommit(
  engine: StorageEngine,
  change: Change,
  held: readonly HeldGuard[],
  request: RequestSignal,
): Promise<CommitResult> {
  let guards = held.map(({ guard }) => guard);
  for (;;) {
    const result = await engine.commit({ ...change, guards }, endWithRequest(engine, request));
    if (result.committed || result.blockedBy?.type !== 'guard') return result;
    const { key: lost } = result.blockedBy;
    const renewals = held.filter(({ guard }) => guard.key === lost).map(({ renew }) => renew());
    const renewed = await Promise.all(renewals);
    guards = guards.map((guard) => renewed.find(({ key }) => key === guard.key) ?? guard);
  }
}
