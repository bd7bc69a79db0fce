/** A look at a file before LMDB maps it: a foreign file makes the native library crash the process. */

import { closeSync, openSync, readSync } from 'node:fs';
import { StorageError } from '@listwatch/storage';

/** Where LMDB keeps its stamp, behind the header of each of the first two pages. */
const MAGIC_OFFSET = 24;
const MAGIC = 0xbeefc0de;
const PAGE_SIZE_OFFSET = 48;

/** Throws `CORRUPT` unless `file` does not exist yet, is empty, or begins as an LMDB file does. */
export function checkFileHeader(file: string): void {
  const header = readStart(file);
  if (header.length === 0) return;
  const pageSize = header.length < 64 ? 0 : header.readUInt32LE(PAGE_SIZE_OFFSET);
  for (const page of [0, pageSize]) {
    const at = page + MAGIC_OFFSET;
    if (at + 4 > header.length || header.readUInt32LE(at) !== MAGIC) {
      throw new StorageError('CORRUPT', `${file} is damaged or is not a listwatch store`);
    }
  }
}

function readStart(file: string): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
  try {
    // The largest page is 64 KiB, and the stamp of the second one follows it.
    const start = Buffer.alloc(65_536 + 64);
    return start.subarray(0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}
