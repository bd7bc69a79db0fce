/** Reads what managers have recorded. */

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseUsedRights, type UsedRights } from '@listwatch/runtime/manager';
import { explainFileError } from '../file-error.ts';
import { StartError } from '../start-error.ts';

/** A manager writes at most 5000 rights, a few hundred bytes each. */
const BYTES_MAX = 16 * 1024 * 1024;

/** All rights of all files. Throws a `StartError` that names the file. */
export function readRights(paths: readonly string[], folder: string): UsedRights {
  const files = paths.map((path) => readOne(path, resolve(folder, path)));
  return {
    rights: files.flatMap(({ rights }) => rights),
    paths: [...new Set(files.flatMap((file) => file.paths))],
  };
}

function readOne(path: string, file: string): UsedRights {
  try {
    if (statSync(file).size > BYTES_MAX) throw new TypeError('it is larger than 16 MiB');
    return parseUsedRights(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof TypeError ? error.message : explainFileError(error);
    throw new StartError(`${path} cannot be read: ${reason}`, { cause: error });
  }
}
