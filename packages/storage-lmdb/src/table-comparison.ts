/** Compares the tables of a store with one another: each revision stands in the log and in the versions. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogRecord } from './log-record.ts';
import type { VersionKey } from './version-key.ts';

/** Rows looked at before other work of the process gets its turn. */
const TURN = 2000;

/** Where the store says it stands. */
export interface StoreBounds {
  readonly revision: number;
  readonly compacted: number;
}

/**
 * The log must be one line without gap, from the compacted revision to the newest. `records` are in its order. Before
 * the compacted revision they wait to be swept, and a store that was restored jumps ahead from there.
 */
export function compareLog(records: ReadonlyMap<number, LogRecord>, bounds: StoreBounds, findings: string[]): void {
  let first: number | undefined;
  let last: number | undefined;
  for (const revision of records.keys()) {
    if (last !== undefined && last > bounds.compacted && revision !== last + 1)
      findings.push(`the log jumps from ${last} to ${revision}`);
    first ??= revision;
    last = revision;
  }
  if (Math.max(last ?? bounds.revision, bounds.compacted) !== bounds.revision) {
    findings.push(`the log ends at ${last}, the store is at ${bounds.revision}`);
  }
  if ((first ?? bounds.revision + 1) > Math.max(bounds.compacted, 1) + 1) {
    findings.push(`the log begins at ${first ?? bounds.revision + 1}, compacted is ${bounds.compacted}`);
  }
}

/** Every version must have its record, and each record its version and the one it replaced. Gives the newest ones. */
export async function compareVersionTables(
  versions: Iterable<VersionKey>,
  records: ReadonlyMap<number, LogRecord>,
  findings: string[],
): Promise<ReadonlyMap<string, number>> {
  const newest = new Map<string, number>();
  const seen = new Set<number>();
  const replaced = new Set<number>();
  let versionAbove: { readonly key: string; readonly revision: number } | undefined;
  for (const { key, revision, deleted } of versions) {
    const record = records.get(revision);
    if (record === undefined && deleted) findings.push(`the deletion of ${key} at ${revision} is not in the log`);
    if (record !== undefined && (record.key !== key || record.deleted !== deleted)) {
      findings.push(`revision ${revision} is ${record.key} in the log and ${key} in the versions`);
    }
    if (versionAbove?.key === key) {
      const above = records.get(versionAbove.revision);
      if (above === undefined)
        findings.push(`${key} at ${revision} was replaced by ${versionAbove.revision}, which is not in the log`);
      else if (above.previous !== (deleted ? 0 : revision))
        findings.push(`${key} at ${versionAbove.revision} does not continue ${revision}`);
      replaced.add(versionAbove.revision);
    } else if (!deleted) newest.set(key, revision);
    versionAbove = { key, revision };
    seen.add(revision);
    if (seen.size % TURN === 0) await nextTurn();
  }
  for (const [revision, record] of records) {
    if (!seen.has(revision)) findings.push(`revision ${revision} of ${record.key} has no version`);
    if (record.previous > 0 && !replaced.has(revision)) {
      findings.push(`the version of ${record.key} that ${revision} replaced is missing`);
    }
  }
  return newest;
}
