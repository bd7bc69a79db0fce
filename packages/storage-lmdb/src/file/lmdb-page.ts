/** One page of a tree in an LMDB file: its nodes, after every number in it has been checked against its bounds. */

import { type LmdbMeta, number, PAGE_HEADER_BYTES } from './lmdb-meta.ts';

/** The flags of a page. LMDB has more, for pages that it is writing; none of these comes into the file. */
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const NODE_HEADER_BYTES = 8;
const OVERFLOW_BYTES = 24;

const BIG_VALUE = 0x01;
const SUB_TREE = 0x02;

/** A value within the page. */
export interface InlineValue {
  readonly type: 'inline' | 'tree';
  readonly start: number;
  readonly end: number;
}

/** A large value, on pages of its own. */
export interface OverflowValue {
  readonly type: 'overflow';
  readonly page: number;
  readonly pages: number;
  readonly length: number;
}

/** What a page should be. */
export interface ExpectedPage {
  readonly page: number;
  readonly kind: 'branch' | 'leaf';
  /** The newest transaction of the file. */
  readonly transaction: number;
}

/** What is wrong with a page of a tree; undefined when nothing is. */
export function checkPage(bytes: Buffer, { page, kind, transaction }: ExpectedPage): string | undefined {
  if (number(bytes, 0) !== page) return 'does not have its number';
  // LMDB takes a page of a later transaction for one that it is writing, and ends the process.
  if ((number(bytes, 8) ?? Number.POSITIVE_INFINITY) > transaction) return 'is of a transaction that has not happened';
  if (bytes.readUInt16LE(18) !== (kind === 'branch' ? BRANCH : LEAF)) return `is not a ${kind} page`;
  const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)];
  const room = bytes.length - PAGE_HEADER_BYTES;
  if (lower % 2 !== 0 || lower > upper || upper > room) return 'has damaged bounds';
  if (lower === 0) return 'has no nodes';
  for (let node = 0; node < nodeCount(bytes); node += 1) {
    const at = nodeAt(bytes, node);
    if (at < PAGE_HEADER_BYTES + upper || at + NODE_HEADER_BYTES > bytes.length) return 'has a node outside of it';
    if (at + NODE_HEADER_BYTES + bytes.readUInt16LE(at + 6) > bytes.length) return 'has a key outside of it';
    if (kind === 'leaf' && leafValue(bytes, node) === undefined) return 'has a value outside of it';
  }
  return undefined;
}

/** The number of nodes of a checked page. */
export function nodeCount(bytes: Buffer): number {
  return bytes.readUInt16LE(20) >>> 1;
}

/** The key of a node; a view, valid until the page's bytes are reused. */
export function nodeKey(bytes: Buffer, node: number): Buffer {
  const start = nodeAt(bytes, node) + NODE_HEADER_BYTES;
  return bytes.subarray(start, start + bytes.readUInt16LE(start - 2));
}

/** The page that a node of a branch points to. */
export function childPage(bytes: Buffer, node: number): number {
  const at = nodeAt(bytes, node);
  return bytes.readUInt16LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at);
}

/** What a node of a leaf holds; undefined when it cannot be. */
export function leafValue(bytes: Buffer, node: number): InlineValue | OverflowValue | undefined {
  const at = nodeAt(bytes, node);
  const length = bytes.readUInt32LE(at);
  const flags = bytes.readUInt16LE(at + 4);
  const start = at + NODE_HEADER_BYTES + bytes.readUInt16LE(at + 6);
  // No table of a store has several values for a key.
  if ((flags & ~(BIG_VALUE | SUB_TREE)) !== 0) return undefined;
  if ((flags & BIG_VALUE) === 0) {
    if (start + length > bytes.length) return undefined;
    return { type: (flags & SUB_TREE) === 0 ? 'inline' : 'tree', start, end: start + length };
  }
  if (start + OVERFLOW_BYTES > bytes.length) return undefined;
  const page = number(bytes, start);
  const pages = number(bytes, start + 16);
  if (page === undefined || pages === undefined) return undefined;
  return { type: 'overflow', page, pages, length };
}

/** What is wrong with the first of the pages that hold a large value; undefined when nothing is. */
export function checkOverflow(header: Buffer, value: OverflowValue, meta: LmdbMeta): string | undefined {
  if (number(header, 0) !== value.page) return 'does not have its number';
  if (header.readUInt16LE(18) !== OVERFLOW) return 'is not an overflow page';
  if ((number(header, 8) ?? Number.POSITIVE_INFINITY) > meta.transaction) {
    return 'is of a transaction that has not happened';
  }
  const needed = Math.floor((PAGE_HEADER_BYTES - 1 + value.length) / meta.pageSize) + 1;
  if (header.readUInt32LE(20) !== value.pages || value.pages < needed) return 'is too short for its value';
  return undefined;
}

function nodeAt(bytes: Buffer, node: number): number {
  return bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * node) + PAGE_HEADER_BYTES;
}
