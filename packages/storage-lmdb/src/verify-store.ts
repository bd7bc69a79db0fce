/** Holds the tables of a store against one another. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog } from './event-log.ts';
import type { Heads } from './heads.ts';
import { decodeLogRecord, encodeRevision, type LogRecord } from './log-record.ts';
import type { Tables } from './tables.ts';

/** More findings than this say nothing new. */
const MAX_FINDINGS = 100;
const TURN = 2000;

/** The first faults found, as sentences; empty when the store is sound. Nothing must be written meanwhile. */
export async function verifyStore(tables: Tables, heads: Heads, log: EventLog): Promise<readonly string[]> {
  const findings: string[] = [];
  const records = await readLog(tables, log, findings);
  const newest = await checkVersions(tables, records, findings);
  for (const [key, revision] of heads) {
    if (newest.get(key) !== revision)
      findings.push(`${key} stands at ${revision}, its newest version is ${newest.get(key)}`);
  }
  if (newest.size !== heads.size) findings.push(`${heads.size} keys are known, ${newest.size} are stored`);
  return findings.slice(0, MAX_FINDINGS);
}

/** The log must be one line without gap, from the first kept revision to the newest. */
async function readLog(tables: Tables, log: EventLog, findings: string[]): Promise<ReadonlyMap<number, LogRecord>> {
  const records = new Map<number, LogRecord>();
  let expected: number | undefined;
  let from = encodeRevision(0);
  for (let more = true; more; ) {
    more = false;
    for (const revision of tables.log.walk(from)) {
      if (revision !== (expected ?? revision))
        findings.push(`the log jumps from ${(expected ?? 0) - 1} to ${revision}`);
      expected = revision + 1;
      records.set(revision, tables.log.value(decodeLogRecord));
      if (records.size % TURN === 0) {
        more = true;
        break;
      }
    }
    from = encodeRevision(expected ?? 0);
    await nextTurn();
  }
  const last = (expected ?? log.revision + 1) - 1;
  if (last !== log.revision) findings.push(`the log ends at ${last}, the store is at ${log.revision}`);
  const first = Math.min(...[...records.keys()].slice(0, 1), log.revision + 1);
  if (first > Math.max(log.compacted, 1) + 1)
    findings.push(`the log begins at ${first}, compacted is ${log.compacted}`);
  return records;
}

/** Every version must have its record, and each record its version and the one it replaced. */
async function checkVersions(
  tables: Tables,
  records: ReadonlyMap<number, LogRecord>,
  findings: string[],
): Promise<ReadonlyMap<string, number>> {
  const newest = new Map<string, number>();
  const seen = new Set<number>();
  const replaced = new Set<string>();
  let versionAbove: { readonly key: string; readonly revision: number } | undefined;
  for (const { key, revision, deleted } of tables.versions.keys(Buffer.from([1]))) {
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
      replaced.add(`${versionAbove.revision}`);
    } else if (!deleted) newest.set(key, revision);
    versionAbove = { key, revision };
    seen.add(revision);
    if (seen.size % TURN === 0) await nextTurn();
  }
  for (const [revision, record] of records) {
    if (!seen.has(revision)) findings.push(`revision ${revision} of ${record.key} has no version`);
    if (record.previous > 0 && !replaced.has(`${revision}`)) {
      findings.push(`the version of ${record.key} that ${revision} replaced is missing`);
    }
  }
  return newest;
}
