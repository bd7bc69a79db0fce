/** The loop behind every change: read, decide, commit if nothing has happened in between, else decide again. */

import type { Entry, Revision, StorageEngine } from '@listwatch/storage';
import { type ReleaseReservation } from '../contract/reservation.ts';
import { endWithRequest, type RequestSignal } from './request-signal.ts';
import { reservingCommit } from './reserving-commit.ts';

/** What is to become of a key. */
export type Decision<T> =
  | { readonly write: 'none'; readonly result: T }
  | {
      readonly write: 'put';
      readonly value: Uint8Array;
      readonly ttlSeconds?: number | undefined;
      /** Told how the commit of this value ended, also when it was refused and another is decided on. */
      readonly release?: ReleaseReservation | undefined;
      readonly result: T;
    }
  | { readonly write: 'delete'; readonly result: T };

/** What became of it. */
export interface Outcome<T> {
  readonly result: T;
  /** The key as the decision saw it. */
  readonly previous: Entry | undefined;
  /** The revision of the change; undefined when nothing was written. */
  readonly revision: Revision | undefined;
}

export interface CommitOptions {
  /** Whose end is the end of trying. */
  readonly request: RequestSignal;
  /** Decide, and write nothing. */
  readonly dryRun: boolean;
}

/**
 * Changes one key by `decide`, which is asked again with the newest entry whenever another writer came first. There is
 * no limit to that but the end of the request: one of the writers always gets on.
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
