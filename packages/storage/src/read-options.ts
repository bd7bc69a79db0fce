/** The checks of read options that every engine makes. */

import type { RangeOptions, Revision } from './storage-engine.ts';
import { compactedError, futureRevisionError } from './storage-error.ts';
import { checkPrefix, checkStart } from './storage-key.ts';

/** Throws a `RangeError` for a prefix, start or limit that makes no sense. */
export function checkRange(prefix: string, options: RangeOptions): void {
  checkPrefix(prefix);
  if (options.start !== undefined) checkStart(options.start);
  const limit = options.limit ?? 0;
  if (!(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new RangeError(`limit must be a whole number of 0 (no limit) or more, got ${limit}`);
  }
  checkAt(options.at);
}

/** Throws a `RangeError` unless `at` is absent or a revision. */
export function checkAt(at: Revision | undefined): void {
  if (at !== undefined && (typeof at !== 'bigint' || at < 1n)) {
    throw new RangeError(`at must be a revision of 1n or more, got ${String(at)}`);
  }
}

/** The revision to read at, for a log that keeps from `compacted` to `current`; throws when it is outside. */
export function resolveAt(at: Revision | undefined, compacted: number, current: number): number {
  if (at === undefined) return current;
  checkAt(at);
  if (at > BigInt(current)) throw futureRevisionError(at, BigInt(current));
  if (at < BigInt(compacted)) throw compactedError(at, BigInt(compacted));
  return Number(at);
}

/** Checks the argument of `compact` against a log that keeps from `compacted` to `current`. */
export function resolveCompaction(revision: Revision, compacted: number, current: number): number {
  checkAt(revision);
  if (revision > BigInt(current)) throw futureRevisionError(revision, BigInt(current));
  if (revision <= BigInt(compacted)) throw compactedError(revision, BigInt(compacted));
  return Number(revision);
}
