/** Which file a store is: a copy of it is another one. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE } from './store-folder.ts';

/** What the file system says of a data file that a copy does not share. */
export interface FileIdentity {
  readonly inode: string;
  /** When the file was made, in milliseconds since 1970; 0 where the file system does not know. */
  readonly born: number;
}

/** The identity of the data file in `folder`. */
export function fileIdentity(folder: string): FileIdentity {
  const status = statSync(join(folder, DATA_FILE), { bigint: true });
  return { inode: String(status.ino), born: Number(status.birthtimeMs) };
}

/** Whether both are one file. Some network and container file systems number their inodes anew at each mount. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.inode === b.inode || a.born === b.born;
}

/** Whether `value`, read from a store, is an identity. */
export function isFileIdentity(value: unknown): value is FileIdentity {
  return typeof value === 'object' && value !== null && 'inode' in value && 'born' in value;
}
