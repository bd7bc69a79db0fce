/** Reading the files that describe a cluster. */

import { readFile } from 'node:fs/promises';
import { ConfigError } from './config-error.ts';

/** The text of a file. `what` says what it is for, when it cannot be read. */
export async function readConfigText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = isMissing(error) ? 'there is no such file' : error instanceof Error ? error.message : String(error);
    throw new ConfigError('FILE_UNREADABLE', `${what} ${path} cannot be read: ${reason}`, { cause: error });
  }
}

/** Was it that the file does not exist? */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
