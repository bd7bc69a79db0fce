/** The data folder: there, and ours to write. */

import { accessSync, constants } from 'node:fs';
import { explainFileError } from './file-error.ts';
import { makePrivateFolder } from './private-file.ts';
import { StartError } from './start-error.ts';

/** Makes the folder when it is missing. Throws a `StartError` when it cannot be used. */
export function prepareDataFolder(path: string): void {
  try {
    makePrivateFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(`the data folder ${path} cannot be used: ${explainFileError(cause)}`, { cause });
  }
}
