/** The compare-and-commit loop of every write: read, decide, commit; after a conflict decide again. */

import type { Entry, Revision, StorageEngine } from '@listwatch/storage';
import { type ReleaseReservation } from '../contract/reservation.ts';
import { endWithRequest, type RequestSignal } from './request-signal.ts';
import { reservingCommit } from './services/reserving-commit.ts';

/** The write that was decided on for a key. */
export type Decision<T> =
  | { readonly write: 'none'; readonly result: T }
  | {
      readonly write: 'put';
      readonly value: Uint8Array;
      readonly ttlSeconds?: number | undefined;
      /** Called with the outcome of the commit, also when it was refused and another is decided on. */
      readonly release?: ReleaseReservation | undefined;
      readonly result: T;
    }
  | { readonly write: 'delete'; readonly result: T };

/** The outcome of the loop. */
export interface Outcome<T> {
  readonly result: T;
  /** The key as the decision saw it. */
  readonly previous: Entry | undefined;
  /** The revision of the change; undefined when nothing was written. */
  readonly revision: Revision | undefined;
}

export interface CommitOptions {
  /** The loop ends with this request. */
  readonly request: RequestSignal;
  /** Decide only; write nothing. */
  readonly dryRun: boolean;
}

/**
 * Changes one key by `decide`, which runs again with the newest entry after every conflict. Retries end with the request
 * only: of several writers one always succeeds.
 */
export async function compareAndCommit<T>(
  engine: StorageEngine,
  key: string,
  decide: (current: Entry | undefined) => Decision<T> | Promise<Decision<T>>,
  { request, dryRun }: CommitOptions,
): Promise<Outcome<T>> {
  let current = (await engine.get(key, endWithRequest(engine, request))).entry;
  for (;;) {
    request.throwIfAborted();
    const decision = await decide(current);
    const { result } = decision;
    if (dryRun || decision.write === 'none') return { result, previous: current, revision: undefined };
    const wanted = changeOf(key, decision, current?.modRevision ?? 0n);
    const release = decision.write === 'put' ? decision.release : undefined;
    const committed = await reservingCommit(engine, wanted, request, release);
    if (committed.committed) return { result, previous: current, revision: committed.revision };
    current = committed.current;
  }
}

function changeOf<T>(
  key: string,
  decision: Exclude<Decision<T>, { readonly write: 'none' }>,
  expected: Revision,
): Parameters<StorageEngine['commit']>[0] {
  if (decision.write === 'delete') return { type: 'delete', key, expected };
  const { value, ttlSeconds } = decision;
  return { type: 'put', key, value, expected, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
}
