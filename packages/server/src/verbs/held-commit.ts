/** A commit that something is held for until its end is known: the addresses of a Service. */

import { type Change, type CommitResult, isStorageError, type Revision, type StorageEngine } from '@listwatch/storage';
import { type Patience, untilRequestEnds } from './storage-patience.ts';

/** How a write ended. */
export type WriteEnd =
  | { readonly type: 'committed'; readonly revision: Revision }
  | { readonly type: 'nothing' }
  /** No answer came from the store: it may have been written all the same. */
  | { readonly type: 'unknown' };

/** Lets go of what is held, as the end of the write allows. To be called once. */
export type LetGo = (end: WriteEnd) => void;

/** Commits, and tells `letGo` how that ended, whichever way it does. */
export function heldCommit(
  engine: StorageEngine,
  change: Change,
  request: Patience,
  letGo: LetGo | undefined,
): Promise<CommitResult> {
  // The engine's own promise for all that hold nothing: a wrapped one would cost every write a turn.
  if (letGo === undefined) return engine.commit(change, untilRequestEnds(engine, request));
  return telling(letGo, async () => engine.commit(change, untilRequestEnds(engine, request)));
}

async function telling(letGo: LetGo, commit: () => Promise<CommitResult>): Promise<CommitResult> {
  try {
    const result = await commit();
    letGo(result.committed ? { type: 'committed', revision: result.revision } : { type: 'nothing' });
    return result;
  } catch (error) {
    letGo({ type: isStorageError(error) && error.uncertain ? 'unknown' : 'nothing' });
    throw error;
  }
}
