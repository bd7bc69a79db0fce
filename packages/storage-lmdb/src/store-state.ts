/** Where a store stands when it is opened. */

import { decodeLogRecord, encodeRevision } from './log-record.ts';
import type { Tables } from './tables.ts';

/** As etcd: an empty store is at 1, the first commit is 2. */
const FIRST_REVISION = 1;

/** What the tables say of themselves. */
export interface StoreState {
  /** The newest revision. */
  readonly revision: number;
  /** The oldest revision that can be read. */
  readonly compacted: number;
  /** Up to here the space of what was compacted has been given back. */
  readonly swept: number;
  /** Bytes of all changes in the log. */
  readonly total: number;
}

/** Reads the state; a few microseconds, whatever the size of the store. */
export function readState(tables: Tables): StoreState {
  const { log, facts } = tables;
  const last = log.last();
  let first: number | undefined;
  for (const revision of log.keys(encodeRevision(0))) {
    first = revision;
    break;
  }
  const total = last !== undefined && log.find(encodeRevision(last)) ? log.value(decodeLogRecord).total : 0;
  return { ...stateOf(facts.get('compacted'), first, last), total };
}

/** The state of a store that notes `compacted` and whose log goes from `first` to `last`. */
export function stateOf(fact: unknown, first: number | undefined, last: number | undefined): Omit<StoreState, 'total'> {
  const noted = typeof fact === 'number' ? fact : 0;
  const swept = first === undefined ? Math.max(noted, FIRST_REVISION) : first - 1;
  // Overlapping compactions of earlier versions noted less than they swept; reads in between found nothing.
  const compacted = swept > FIRST_REVISION ? Math.max(noted, swept) : noted;
  // When everything has been compacted the log is empty, and the compaction is what remembers the revision.
  return { revision: Math.max(last ?? 0, compacted, FIRST_REVISION), compacted, swept };
}
