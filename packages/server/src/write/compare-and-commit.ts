/** The compare-and-commit loop of every write: read, decide, commit; after a conflict decide again. */

import type { Entry, Revision, StorageEngine } from '@listwatch/storage';
import { type ReleaseReservation } from '../contract/reservation.ts';
import type { HeldGuard } from './held-guard.ts';
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
      /** Other objects that must stay as they were checked. Default: none. */
      readonly held?: readonly HeldGuard[] | undefined;
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
  /** The key as a cache has it, to be decided on without a read of the store. It may be old. Default: the store is read. */
  readonly cached?: Entry | undefined;
}

/**
 * Changes one key by `decide`, which runs again with the newest entry after every conflict. Retries end with the request
 * only: of several writers one always succeeds. A decision on a cached entry counts only when it is committed: a refusal, and one to
 * write nothing, are decided again when the store has another entry.
 */
export async function compareAndCommit<T>(
  engine: StorageEngine,
  key: string,
  decide: (current: Entry | undefined) => Decision<T> | Promise<Decision<T>>,
  { request, dryRun, cached }: CommitOptions,
): Promise<Outcome<T>> {
  const read = async (): Promise<Entry | undefined> => (await engine.get(key, endWithRequest(engine, request))).entry;
  let isCached = cached !== undefined && !dryRun;
  let current = isCached ? cached : await read();
  for (;;) {
    request.throwIfAborted();
    let decision: Decision<T>;
    try {
      decision = await decide(current);
    } catch (error) {
      if (!isCached) throw error;
      isCached = false;
      const newest = await read();
      if (newest?.modRevision === current?.modRevision) throw error;
      current = newest;
      continue;
    }
    const { result } = decision;
    if (isCached && decision.write === 'none') {
      isCached = false;
      const newest = await read();
      if (newest?.modRevision !== current?.modRevision) {
        current = newest;
        continue;
      }
    }
    if (dryRun || decision.write === 'none') return { result, previous: current, revision: undefined };
    const wanted = changeOf(key, decision, current?.modRevision ?? 0n);
    const { release, held }: PutParts = decision.write === 'put' ? decision : NO_PARTS;
    const committed = await reservingCommit(engine, wanted, { request, release, held });
    if (committed.committed) return { result, previous: current, revision: committed.revision };
    current = committed.current;
    isCached = false;
  }
}

type PutParts = Pick<Extract<Decision<unknown>, { readonly write: 'put' }>, 'held' | 'release'>;

const NO_PARTS: PutParts = {};

function changeOf<T>(
  key: string,
  decision: Exclude<Decision<T>, { readonly write: 'none' }>,
  expected: Revision,
): Parameters<StorageEngine['commit']>[0] {
  if (decision.write === 'delete') return { type: 'delete', key, expected };
  const { value, ttlSeconds } = decision;
  return { type: 'put', key, value, expected, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
}
