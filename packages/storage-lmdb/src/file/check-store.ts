/** Checks a store that nobody has open: reads every page and every record of it, without LMDB and without writing. */

import { join, resolve } from 'node:path';
import { isStorageError, type Revision, StorageError } from '@listwatch/storage';
import { DATA_FILE, fileExists } from '../folder/store-folder.ts';
import { requireFormat } from '../folder/store-format.ts';
import { refuseHolder } from '../folder/store-holder.ts';
import { decodeLogRecord, decodeRevisionKey, type LogRecord } from '../log-record.ts';
import { stateOf } from '../store-state.ts';
import { compareLog, compareVersionTables } from '../table-comparison.ts';
import { decodeVersionKey, type VersionKey } from '../version-key.ts';
import { fileTables, freePages } from './data-file-check.ts';
import { LmdbFile } from './lmdb-file.ts';
import type { TreeRoot } from './lmdb-meta.ts';
import { type TreeRow, TreeWalk } from './tree-walk.ts';

/** Options of {@link checkStore}. */
export interface CheckStoreOptions {
  /** The folder of the store. */
  readonly path: string;
  /** Says what is wrong with a value, if anything is. Default: every value is fine. */
  readonly checkValue?: ((key: string, value: Uint8Array) => string | undefined) | undefined;
}

/** What {@link checkStore} found. */
export interface StoreReport {
  /** What is wrong, one sentence each; empty when the store is sound. */
  readonly findings: readonly string[];
  /** Keys that exist now. */
  readonly keys: number;
  /** Values read, also of keys that were overwritten or deleted since. */
  readonly values: number;
  readonly bytes: number;
  readonly revision: Revision;
  /** The oldest revision that can be read; 0 when nothing has been compacted. */
  readonly compacted: Revision;
}

/**
 * Reads a whole store and says what is wrong with it. Rejects with `IN_USE` when a process has it open, `INCOMPATIBLE`
 * when it is none of ours, `UNAVAILABLE` when it cannot be read; damage is not an error but what the report is for.
 */
export async function checkStore(options: CheckStoreOptions): Promise<StoreReport> {
  const folder = resolve(options.path);
  const path = join(folder, DATA_FILE);
  if (!fileExists(path))
    throw new StorageError('UNAVAILABLE', `there is no store in ${folder}: ${path} does not exist`);
  let file: LmdbFile;
  try {
    file = LmdbFile.open(path);
  } catch (error) {
    if (isStorageError(error, 'CORRUPT')) return { ...EMPTY_REPORT, findings: [error.message] };
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError('UNAVAILABLE', `the store in ${folder} cannot be read: ${reason}`, { cause: error });
  }
  try {
    return await new StoreCheck(file, folder, options).run();
  } finally {
    file.close();
  }
}

const EMPTY_REPORT: StoreReport = { findings: [], keys: 0, values: 0, bytes: 0, revision: 0n, compacted: 0n };

class StoreCheck {
  readonly #findings: string[] = [];
  readonly #file: LmdbFile;
  readonly #folder: string;
  readonly #walk: TreeWalk;
  readonly #checkValue: CheckStoreOptions['checkValue'];
  #tables: ReadonlyMap<string, TreeRoot> = new Map();
  #values = 0;

  constructor(file: LmdbFile, folder: string, { checkValue }: CheckStoreOptions) {
    this.#file = file;
    this.#folder = folder;
    this.#walk = new TreeWalk(file, (finding) => this.#findings.push(finding));
    this.#checkValue = checkValue;
  }

  async run(): Promise<StoreReport> {
    const free = freePages(this.#file, this.#walk, this.#findings);
    const tables = fileTables(this.#file, this.#walk, this.#findings);
    this.#tables = new Map(tables.map(({ name, tree }) => [name, tree]));
    const facts = this.#facts();
    refuseHolder(facts.get('holder'), this.#folder);
    // A damaged table of facts has been reported; a sound one without the mark is not ours.
    if (this.#findings.length === 0) requireFormat(facts.get('format'), this.#folder);
    const records = this.#log();
    const revisions = [...records.keys()];
    const bounds = stateOf(facts.get('compacted'), revisions[0], revisions.at(-1));
    compareLog(records, bounds, this.#findings);
    const newest = await compareVersionTables(this.#versions(), records, this.#findings);
    this.#expiry();
    // Damaged trees leave out pages that they use; what is free can then not be told.
    if (this.#findings.length === 0) this.#walk.checkFree(free);
    return {
      findings: this.#findings,
      keys: newest.size,
      values: this.#values,
      bytes: this.#file.size,
      revision: BigInt(bounds.revision),
      compacted: BigInt(bounds.compacted),
    };
  }

  #facts(): ReadonlyMap<string, unknown> {
    const facts = new Map<string, unknown>();
    for (const { key, value } of this.#rows('facts')) {
      const name = key.toString('utf8').replace(/\0$/, '');
      try {
        facts.set(name, JSON.parse(value?.toString('utf8') ?? ''));
      } catch {
        this.#findings.push(`the fact ${JSON.stringify(name)} cannot be decoded`);
      }
    }
    return facts;
  }

  #log(): ReadonlyMap<number, LogRecord> {
    const records = new Map<number, LogRecord>();
    for (const { key, value } of this.#rows('log')) {
      const revision = decodeRevisionKey(key, 0, key.length);
      if (revision === undefined) {
        this.#findings.push(`a key of the log cannot be decoded: ${key.toString('hex')}`);
        continue;
      }
      try {
        if (value !== undefined) records.set(revision, decodeLogRecord(value, value.length));
      } catch {
        this.#findings.push(`the log record of revision ${revision} cannot be decoded`);
      }
    }
    return records;
  }

  *#versions(): Generator<VersionKey, undefined> {
    for (const { key, value } of this.#rows('versions')) {
      const version = decodeVersionKey(key, 0, key.length);
      if (version === undefined) {
        this.#findings.push(`a key of the versions cannot be decoded: ${key.toString('hex')}`);
        continue;
      }
      if (!version.deleted && value !== undefined) this.#value(version, value);
      yield version;
    }
  }

  #value({ key, revision }: VersionKey, value: Buffer): void {
    this.#values += 1;
    const problem = this.#checkValue?.(key, value);
    if (problem !== undefined) this.#findings.push(`the value of ${key} at revision ${revision} ${problem}`);
  }

  #expiry(): void {
    for (const { key } of this.#rows('expiry')) {
      if (key.length !== 16) this.#findings.push(`an expiry row cannot be decoded: ${key.toString('hex')}`);
    }
  }

  #rows(name: string): Iterable<TreeRow> {
    const tree = this.#tables.get(name);
    if (tree !== undefined) return this.#walk.rows(tree, `the table ${name}`, 'values');
    // All four are made with the store.
    this.#findings.push(`the table ${name} is missing`);
    return [];
  }
}
