/** The LMDB file of a store and its four tables. */

import { join } from 'node:path';
import { type Database, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { checkDataFile } from './file/data-file-check.ts';
import { DATA_FILE, FILE_MODE, makeLockFile } from './folder/store-folder.ts';
import { decodeRevisionKey } from './log-record.ts';
import { silenceFailedCommits } from './quiet-writer.ts';
import { Table } from './table.ts';
import { decodeVersionKey, type VersionKey } from './version-key.ts';

/**
 * Address space, not disk: the file grows as it is written. Large enough that it never has to be mapped anew, which
 * would stop every reader.
 */
const MAP_BYTES = 2 ** 40;

/** The tables of an open store. */
export interface Tables {
  /** The file. */
  readonly path: string;
  readonly root: RootDatabase;
  /** Every kept version of every key; see `version-key.ts`. */
  readonly versions: Table<VersionKey>;
  /** Every kept revision; see `log-record.ts`. */
  readonly log: Table<number>;
  /** What will expire: due time and revision, to key; see `expiry.ts`. */
  readonly expiry: Table<Buffer>;
  /** A few named facts about the store: its format, its holder, how far it has been compacted. */
  readonly facts: Database<unknown, string>;
}

/** Opens the data file in `folder`, which must exist. Throws `CORRUPT` when it is damaged. */
export function openTables(folder: string): Tables {
  const path = join(folder, DATA_FILE);
  checkDataFile(path);
  return openTablesAt(path);
}

/** Opens an LMDB file that is known to be sound, or makes a new one. */
export function openTablesAt(path: string): Tables {
  makeLockFile(`${path}-lock`);
  const options: RootDatabaseOptionsWithPath = {
    path,
    noSubdir: true,
    mapSize: MAP_BYTES,
    maxDbs: 8,
    // One sync for each transaction, before it is reported. lmdb's default lets the next transaction begin meanwhile,
    // which is slower with a group commit of our own in front (measured: 0.7 of this at concurrency 256).
    overlappingSync: false,
    // We say ourselves what belongs together. Left to lmdb, a failed transaction also rejects a promise that nobody
    // can reach, and that ends the process.
    eventTurnBatching: false,
  };
  // lmdb takes the mode of new files, but its types do not know it.
  const root = open(Object.assign(options, { permissionsMode: FILE_MODE }));
  silenceFailedCommits(root);
  return {
    path,
    root,
    versions: new Table(root, 'versions', decodeVersionKey),
    log: new Table(root, 'log', decodeRevisionKey),
    expiry: new Table(root, 'expiry', (bytes, start, end) => Buffer.from(bytes.subarray(start, end))),
    facts: root.openDB<unknown, string>({ name: 'facts', encoding: 'json' }),
  };
}

/** One step of a transaction: puts and removes of a table. */
export type TableWrite = () => unknown;

/** Carries out `writes` in one transaction; resolves when it is on disk, rejects when nothing of it is. */
export async function writeAll(tables: Tables, writes: readonly TableWrite[]): Promise<void> {
  if (writes.length === 0) return;
  await tables.root.batch(() => {
    for (const write of writes) write();
  });
}
