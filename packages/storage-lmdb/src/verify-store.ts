/** Compares the tables of an open store with one another. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isStorageError } from '@listwatch/storage';
import type { EventLog } from './event-log.ts';
import type { Heads } from './heads.ts';
import { decodeLogRecord, encodeRevision, type LogRecord } from './log-record.ts';
import { compareLog, compareVersionTables } from './table-comparison.ts';
import type { Tables } from './tables.ts';

/** More findings than this say nothing new. */
const MAX_FINDINGS = 100;
const TURN = 2000;

/** The first faults found, as sentences; empty when the store is sound. Nothing must be written meanwhile. */
export async function verifyStore(tables: Tables, heads: Heads, log: EventLog): Promise<readonly string[]> {
  const findings: string[] = [];
  try {
    const records = await readLog(tables, findings);
    compareLog(records, log, findings);
    const newest = await compareVersionTables(tables.versions.keys(Buffer.from([1])), records, findings);
    for (const [key, revision] of heads) {
      if (newest.get(key) !== revision)
        findings.push(`${key} stands at ${revision}, its newest version is ${newest.get(key)}`);
    }
    if (newest.size !== heads.size) findings.push(`${heads.size} keys are known, ${newest.size} are stored`);
  } catch (error) {
    if (!isStorageError(error, 'CORRUPT')) throw error;
    findings.push(error.message);
  }
  return findings.slice(0, MAX_FINDINGS);
}

async function readLog(tables: Tables, findings: string[]): Promise<ReadonlyMap<number, LogRecord>> {
  const records = new Map<number, LogRecord>();
  let read = 0;
  let from = encodeRevision(0);
  for (let more = true; more; ) {
    more = false;
    for (const revision of tables.log.walk(from)) {
      try {
        records.set(revision, tables.log.value(decodeLogRecord));
      } catch {
        findings.push(`the log record of revision ${revision} cannot be decoded`);
      }
      from = encodeRevision(revision + 1);
      read += 1;
      more = read % TURN === 0;
      if (more) break;
    }
    await nextTurn();
  }
  return records;
}
