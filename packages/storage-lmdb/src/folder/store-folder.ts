/** The folder of a store: only its owner may read it, and it is either complete or not there. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StorageError } from '@listwatch/storage';
import { writeFailure } from '../commit-failure.ts';

/** The LMDB file inside the store's folder. */
export const DATA_FILE = 'data.mdb';
/** LMDB's table of readers and its mutex. */
export const LOCK_FILE = 'data.mdb-lock';
/** A file that the holder touches, for processes in other containers, which cannot see whether it lives. */
export const HOLDER_FILE = 'holder';
/** Which opening was the last one; see `store-generation.ts`. */
export const GENERATION_FILE = 'generation';

/** The mode of the files. */
export const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** LMDB needs 8272 bytes for 126 readers. */
const LOCK_BYTES = 16_384;

/**
 * Makes the folder when it is missing, and takes the permissions of others away from it and its files. The answer is
 * the paths that others could read or write until now. Throws `UNAVAILABLE` when their mode cannot be changed.
 */
export function makeStoreFolder(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const wider: readonly (readonly [string, number])[] = [
    [folder, FOLDER_MODE],
    ...[DATA_FILE, LOCK_FILE, HOLDER_FILE, GENERATION_FILE].map((file) => [join(folder, file), FILE_MODE] as const),
  ];
  // Windows has no modes: its folders inherit who may read them.
  if (process.platform === 'win32') return [];
  return wider.filter(([path, mode]) => narrow(path, mode)).map(([path]) => path);
}

/**
 * Takes the permissions of others away; true when there were any. Not through a link: who made it chose whose permissions change,
 * and a server that runs as root could change any.
 */
function narrow(path: string, mode: number): boolean {
  const now = statSync(path, { throwIfNoEntry: false })?.mode;
  if (now === undefined || (now & 0o077) === 0) return false;
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      fchmodSync(descriptor, mode);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (cause) {
    const [has, wants] = [now & 0o777, mode].map((bits) => bits.toString(8));
    const message = `others can read ${path} (mode ${has}), and its mode cannot be changed; run: chmod ${wants} ${path}`;
    throw new StorageError('UNAVAILABLE', message, { cause });
  }
}

/**
 * Writes the lock file before LMDB does. LMDB makes it longer without writing to it and then maps it: on a full disk
 * the first access would end the process with SIGBUS.
 */
export function makeLockFile(path: string): void {
  if (fileExists(path)) return;
  const temporary = temporaryName(path);
  try {
    writeFileSync(temporary, Buffer.alloc(LOCK_BYTES), { mode: FILE_MODE, flag: 'wx' });
    // Complete before it gets its name: another process may open the store at the same moment.
    publish(temporary, path);
  } catch (error) {
    throw writeFailure(error, dirname(path));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Gives a complete file its name, unless another process was first; either way `path` exists afterwards, on disk. */
export function publish(temporary: string, path: string): void {
  try {
    // Unlike a rename, a link does not replace the file of a process that was faster.
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  syncFolder(dirname(path));
}

/** A name in the same folder that no other process chooses. */
export function temporaryName(path: string): string {
  return join(dirname(path), `${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
}

/** Whether there is a file of this name. */
export function fileExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
