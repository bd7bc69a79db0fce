/** Where a store begins that does not remember the one before it. */

import type { Clock } from '@listwatch/api';
import type { Revision } from './storage-engine.ts';

/**
 * Revisions grow by one a commit, the default by a million a second: no store commits faster for long, so the next one
 * begins behind it. Exact as a number until the year 2255.
 */
const REVISIONS_PER_MS = 1000;

/** Leaves room for 2^52 commits, so that revisions stay exact as numbers. */
const LARGEST = 2 ** 52;

/** Where the last store of this process began: two that are made in one millisecond must differ too. */
let last = 0;

/** The first revision of a store: the given one, or one behind every store before. Throws a `RangeError`. */
export function resolveFirstRevision(revision: Revision | undefined, clock: Clock): number {
  if (revision === undefined) {
    last = Math.max(Math.ceil(clock.now()) * REVISIONS_PER_MS, last + REVISIONS_PER_MS);
    return last;
  }
  if (typeof revision !== 'bigint' || revision < 1n || revision > BigInt(LARGEST)) {
    throw new RangeError(`firstRevision must be a revision from 1n to 2n ** 52n, got ${String(revision)}`);
  }
  return Number(revision);
}
