/** Files that nobody else may read, written whole or not at all. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;

/** The text of a file; undefined when there is none. */
export function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes a folder that only its owner can enter, unless it exists. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Takes the permissions of others away from a file or folder; true when there were any. Throws the system's error when
 * that is not possible. On Windows, which has no modes, nothing is done. Nor with a link: who made it chose whose permissions
 * change.
 */
export function makePrivate(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (process.platform === 'win32' || status === undefined || status.isSymbolicLink()) return false;
  if ((status.mode & OTHERS) === 0) return false;
  chmodUnlinked(path, status);
  return true;
}

/** Through a descriptor: a link that was put in the place of the file meanwhile is not followed. */
function chmodUnlinked(path: string, status: Stats): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(descriptor, status.isDirectory() ? FOLDER_MODE : FILE_MODE);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes the file, replacing what was there. */
export function writePrivateFile(path: string, text: string): void {
  withTemporary(path, text, (temporary) => renameSync(temporary, path));
}

/** Writes the file unless it exists; false when somebody else was first. */
export function createPrivateFile(path: string, text: string): boolean {
  return withTemporary(path, text, (temporary) => {
    try {
      // Unlike a rename, a link does not replace: of two servers that start at one moment both use the same file.
      linkSync(temporary, path);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
  });
}

/** A reader never sees half a file: the text is complete before it gets its name. */
function withTemporary<T>(path: string, text: string, use: (temporary: string) => T): T {
  makePrivateFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: FILE_MODE, flag: 'wx' });
    return use(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}
