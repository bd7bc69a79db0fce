/** The data folder: it exists, we may write to it, and nobody else can read what we keep in it. */

import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { explainFileError } from '../file-error.ts';
import { StartError } from '../start-error.ts';
import { distrustOf, foreignFolderOf } from './file-trust.ts';
import { makePrivate, makePrivateFolder } from './private-file.ts';

/** The names in the data folder that are ours. The engine looks after the folder of the store itself. */
export const DATA_NAMES = {
  store: 'store',
  pki: 'pki',
  kubeconfig: 'kubeconfig',
  consoleLink: 'console-link',
} as const;

/**
 * Makes the folder when it is missing, and takes the permissions of others away from the certificates, their keys and
 * the kubeconfig. The answer is the paths that others could read until now. Throws a `StartError` when the folder cannot be
 * used, when others could have put a key there (administrators would be signed with it), when it belongs to another user and this is
 * root, or when a permission cannot be changed.
 */
export function prepareDataFolder(path: string): readonly string[] {
  try {
    makePrivateFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(`the data folder ${path} cannot be used: ${explainFileError(cause)}`, { cause });
  }
  const foreign = foreignFolderOf(path);
  if (foreign !== undefined) throw new StartError(`root keeps no keys in the folder of another user: ${foreign}`);
  const keys = withEntries(join(path, DATA_NAMES.pki));
  for (const key of keys) requireTrusted(key);
  const secrets = [join(path, DATA_NAMES.kubeconfig), ...keys];
  const repaired = secrets.filter(narrow);
  return narrowOwnFolder(path) ? [path, ...repaired] : repaired;
}

/** A folder and what is in it; nothing when it does not exist yet. */
function withEntries(folder: string): readonly string[] {
  try {
    return [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  } catch {
    return [];
  }
}

/** Of the folder as well: who can write to it can replace every key. */
function requireTrusted(path: string): void {
  const why = distrustOf(path);
  if (why !== undefined) throw new StartError(`a key that others may have made is not used: ${why}`);
}

function narrow(path: string): boolean {
  try {
    return makePrivate(path);
  } catch (cause) {
    const help = `run: chmod go-rwx ${path}`;
    throw new StartError(`others can read ${path}, and that cannot be changed (${explainFileError(cause)}); ${help}`, {
      cause,
    });
  }
}

/** Only a folder with nothing else in it: `--data /tmp` must not lock others out of /tmp. */
function narrowOwnFolder(path: string): boolean {
  const own: ReadonlySet<string> = new Set(Object.values(DATA_NAMES));
  try {
    return readdirSync(path).every((name) => own.has(name)) && makePrivate(path);
  } catch {
    // A volume that belongs to root but may be written to: its name is all that others see.
    return false;
  }
}
