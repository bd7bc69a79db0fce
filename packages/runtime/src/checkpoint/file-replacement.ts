/** Replaces a file in one step, through a private temporary file beside it. */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Only the owner may read and write the file, and enter the folders that are created for it. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** EXCL: whoever can write to the folder must not be able to choose, by a link of that name, which file we overwrite. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

const RANDOM_BYTES = 12;
const TEMPORARY_SUFFIX = new RegExp(`^\\.(?:[0-9a-f]{${2 * RANDOM_BYTES}}\\.)?tmp$`, 'u');

/** Writes, flushes and renames: a crash leaves the old file or the new one. Nothing stays beside it when `write` throws. */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const temporary = `${path}.${randomBytes(RANDOM_BYTES).toString('hex')}.tmp`;
  const file = await open(temporary, FLAGS, FILE_MODE);
  try {
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes the temporary files of processes that crashed. Never rejects: a folder that is not there has none. */
export async function removeLeftovers(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((other) => other.startsWith(name) && TEMPORARY_SUFFIX.test(other.slice(name.length)));
  await Promise.all(left.map((other) => rm(join(folder, other), { force: true }).catch(() => {})));
}

/** Without it a power failure may undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and does not need it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
