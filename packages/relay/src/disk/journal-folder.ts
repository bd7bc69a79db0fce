/** The folder of the journals: this user's, and closed to others. */

import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED } from './journal-file.ts';

const NAME = 'relay-journal';
const MODE = 0o700;

/** The folder cannot be used: the message says why. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
}

/**
 * Makes it below `folder`, which may be a volume that others own. Removes what a process that was killed left unfinished. Throws a
 * `JournalError`.
 */
export async function openJournalFolder(folder: string): Promise<string> {
  const path = join(folder, NAME);
  try {
    await mkdir(path, { recursive: true, mode: MODE });
    checkPrivate(path, await lstat(path));
    const left = (await readdir(path)).filter((name) => name.endsWith(UNFINISHED));
    await Promise.all(left.map((name) => rm(join(path, name), { force: true })));
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  return path;
}

function checkPrivate(path: string, status: Stats): void {
  if (!status.isDirectory()) throw new JournalError(`${path} is no folder`);
  // Windows has no such permissions.
  if (process.getuid === undefined) return;
  if (status.uid !== process.getuid()) throw new JournalError(`${path} belongs to another user (${status.uid})`);
  const mode = status.mode & 0o777;
  if ((mode & 0o077) !== 0)
    throw new JournalError(`${path} is open to others (mode ${mode.toString(8)}): it must be 700`);
}
