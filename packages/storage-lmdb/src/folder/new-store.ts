/** Makes a new, empty store. */

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '@listwatch/storage';
import { writeFailure } from '../commit-failure.ts';
import { openTablesAt } from '../tables.ts';
import { DATA_FILE, fileExists, HOLDER_FILE, LOCK_FILE, publish, temporaryName } from './store-folder.ts';
import { writeFormat } from './store-format.ts';

/** LMDB has two meta pages; both describe the store only after two transactions. */
const FIRST_TRANSACTIONS = 2;

/** Making a store takes milliseconds; a temporary file that is older belongs to nobody. */
const ABANDONED_MS = 60_000;
const TEMPORARY = /^(data\.mdb|data\.mdb-lock|generation)\.[0-9a-f]{12}\.tmp(-lock)?$/;

/**
 * Makes the data file of a folder that has none. It is complete before it gets its name, so that an empty or short data
 * file always means damage. Throws `CORRUPT` when the folder held a store before: starting empty would hide the loss.
 */
export async function makeNewStore(folder: string): Promise<void> {
  const path = join(folder, DATA_FILE);
  removeLeftovers(folder);
  if (fileExists(path)) return;
  const traces = [HOLDER_FILE, LOCK_FILE].filter((file) => fileExists(join(folder, file)));
  // Looked for again: another process may have made the store in between.
  if (traces.length > 0 && fileExists(path)) return;
  if (traces.length > 0) {
    throw new StorageError(
      'CORRUPT',
      `${path} is missing, but ${traces.join(' and ')} beside it show that there was a store: restore the file from a ` +
        `backup, or remove the folder ${folder} to start with an empty store`,
    );
  }
  const temporary = temporaryName(path);
  try {
    const tables = openTablesAt(temporary);
    try {
      for (let i = 0; i < FIRST_TRANSACTIONS; i += 1) writeFormat(tables);
    } finally {
      await tables.root.close();
    }
    publish(temporary, path);
  } catch (error) {
    throw writeFailure(error, folder);
  } finally {
    for (const file of [temporary, `${temporary}-lock`]) rmSync(file, { force: true });
  }
}

/** Removes what a start that was killed left behind. */
function removeLeftovers(folder: string): void {
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    if (
      TEMPORARY.test(file) &&
      Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > ABANDONED_MS
    )
      rmSync(path, { force: true });
  }
}
