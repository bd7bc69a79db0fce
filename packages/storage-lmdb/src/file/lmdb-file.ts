/** Reads the pages of an LMDB file without LMDB. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { corruptError } from '../corrupt-error.ts';
import { type LmdbMeta, META_BYTES, readMeta } from './lmdb-meta.ts';

/** What to do about a file that cannot be used. */
export const WHAT_TO_DO = 'restore it from a backup, or remove the folder of the store to start empty';

/** LMDB does not write pages that one transaction took and gave back; no transaction of ours takes so many. */
const UNWRITTEN_PAGES = 65_536;

/** An open data file. */
export class LmdbFile {
  readonly path: string;
  readonly size: number;
  readonly meta: LmdbMeta;
  readonly #descriptor: number;

  private constructor(path: string, descriptor: number, size: number, meta: LmdbMeta) {
    this.path = path;
    this.size = size;
    this.meta = meta;
    this.#descriptor = descriptor;
  }

  /** Opens the file and checks its meta pages and its length. Throws `CORRUPT`. */
  static open(path: string): LmdbFile {
    const descriptor = openSync(path, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size === 0) throw corruptError(`${path} is empty; ${WHAT_TO_DO}`);
      return new LmdbFile(path, descriptor, size, readMetas(path, descriptor, size));
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** How many whole pages the file has. */
  get pages(): number {
    return Math.floor(this.size / this.meta.pageSize);
  }

  /** Fills `target` with the bytes from the beginning of `page` on; false when the file ends before. */
  read(page: number, target: Buffer): boolean {
    return readSync(this.#descriptor, target, 0, target.length, page * this.meta.pageSize) === target.length;
  }

  /** Whether somebody has committed a transaction since the file was opened. */
  get changed(): boolean {
    try {
      return readMetas(this.path, this.#descriptor, this.size).transaction !== this.meta.transaction;
    } catch {
      return false;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The newer of the two meta pages. */
function readMetas(path: string, descriptor: number, size: number): LmdbMeta {
  const first = readMetaAt(path, descriptor, 0, 0);
  const second = readMetaAt(path, descriptor, 1, first.pageSize);
  if (first.pageSize !== second.pageSize) throw corruptError(`the meta pages of ${path} differ; ${WHAT_TO_DO}`);
  // Transactions take turns with the two pages, so that the numbers follow one another; in a new file both are 0.
  const [even, odd] = [first.transaction, second.transaction];
  if (!(Math.abs(even - odd) === 1 && even % 2 === 0) && !(even === 0 && odd === 0)) {
    throw corruptError(`the meta pages of ${path} name the transactions ${even} and ${odd}; ${WHAT_TO_DO}`);
  }
  if (size < 2 * first.pageSize) throw corruptError(`${path} is cut off after ${size} bytes; ${WHAT_TO_DO}`);
  const newer = even > odd ? first : second;
  if (newer.lastPage > size / newer.pageSize + UNWRITTEN_PAGES) {
    throw corruptError(`${path} is cut off after ${size} bytes, or its meta pages are damaged; ${WHAT_TO_DO}`);
  }
  return newer;
}

function readMetaAt(path: string, descriptor: number, page: number, position: number): LmdbMeta {
  const bytes = Buffer.alloc(META_BYTES);
  const length = readSync(descriptor, bytes, 0, META_BYTES, position);
  const meta = readMeta(bytes.subarray(0, length), page);
  if (typeof meta === 'string') throw corruptError(`meta page ${page} of ${path} ${meta}; ${WHAT_TO_DO}`);
  return meta;
}
