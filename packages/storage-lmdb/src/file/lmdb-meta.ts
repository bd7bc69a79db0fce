/**
 * The two meta pages at the beginning of an LMDB file, read without LMDB: a damaged file makes the native library end
 * the process. All numbers are little-endian.
 *
 *     offset  0  page number        u64        offset 48  page size          u32
 *            18  page flags         u16                 48  tree of free pages, 48 bytes
 *            24  magic              u32                 96  tree of tables,     48 bytes
 *            28  version            u32                144  last used page     u64
 *                                                      152  transaction        u64
 */

/** What one meta page says. */
export interface LmdbMeta {
  readonly pageSize: number;
  readonly free: TreeRoot;
  readonly main: TreeRoot;
  readonly lastPage: number;
  readonly transaction: number;
}

/** Where a tree begins and what it should hold. */
export interface TreeRoot {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** Undefined when the tree is empty. */
  readonly root: number | undefined;
}

/** Bytes of a meta page that count. */
export const META_BYTES = 168;
/** Bytes of a {@link TreeRoot} in the file. */
export const TREE_BYTES = 48;
/** The header of every page. */
export const PAGE_HEADER_BYTES = 24;

const MAGIC = 0xbeefc0de;
/** The data version of LMDB 1.0, which the lmdb package brings. */
const VERSION = 2;
const META_FLAG = 0x08;
const SMALLEST_PAGE = 512;
const LARGEST_PAGE = 65_536;
const MAX_DEPTH = 32;
/** The tree of free pages has numbers as keys; the other bits are options that the file was opened with. */
const FREE_FLAGS = 0x08;
const FREE_MASK = 0x20ff;
const NO_PAGE = 2n ** 64n - 1n;

/** The meta page in `bytes`, or what is wrong with it. `page`: 0 or 1. */
export function readMeta(bytes: Buffer, page: number): LmdbMeta | string {
  if (bytes.length < META_BYTES) return 'is cut off';
  if (bytes.readUInt32LE(24) !== MAGIC) return 'does not have the mark of LMDB';
  const version = bytes.readUInt32LE(28) & 0xffff;
  if (version !== VERSION) return `has the LMDB data version ${version}, not ${VERSION}`;
  if (number(bytes, 0) !== page || (bytes.readUInt16LE(18) & META_FLAG) === 0) return 'has a damaged page header';
  const pageSize = bytes.readUInt32LE(48);
  if (pageSize < SMALLEST_PAGE || pageSize > LARGEST_PAGE || (pageSize & (pageSize - 1)) !== 0) {
    return `has the page size ${pageSize}`;
  }
  const lastPage = number(bytes, 144);
  const transaction = number(bytes, 152);
  if (lastPage === undefined || transaction === undefined) return 'has a damaged last page or transaction';
  const [free, main] = [readTree(bytes, 48), readTree(bytes, 96)];
  if (free === undefined || main === undefined) return 'has a damaged tree';
  if ((free.flags & FREE_MASK) !== FREE_FLAGS || main.flags !== 0) return 'has damaged flags';
  return { pageSize, free, main, lastPage, transaction };
}

/** The description of a tree at `at`; undefined when it cannot be one. */
export function readTree(bytes: Buffer, at: number): TreeRoot | undefined {
  const depth = bytes.readUInt16LE(at + 6);
  const empty = bytes.readBigUInt64LE(at + 40) === NO_PAGE;
  const [branchPages, leafPages, overflowPages, entries] = [8, 16, 24, 32].map((field) => number(bytes, at + field));
  const root = empty ? undefined : number(bytes, at + 40);
  if (branchPages === undefined || leafPages === undefined || overflowPages === undefined || entries === undefined) {
    return undefined;
  }
  if (empty ? depth !== 0 || entries !== 0 : root === undefined || depth < 1 || depth > MAX_DEPTH) return undefined;
  return { flags: bytes.readUInt16LE(at + 4), depth, branchPages, leafPages, overflowPages, entries, root };
}

/** A u64 that fits into a number; no count and no page of a file on earth is larger. */
export function number(bytes: Buffer, at: number): number | undefined {
  const high = bytes.readUInt32LE(at + 4);
  return high < 2 ** 21 ? high * 2 ** 32 + bytes.readUInt32LE(at) : undefined;
}
