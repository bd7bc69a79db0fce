/** Pages of an LMDB file, made by hand: a test damages one number of them. */

import { META_BYTES, PAGE_HEADER_BYTES, TREE_BYTES, type TreeRoot } from './lmdb-meta.ts';

export const PAGE_SIZE = 512;

/** A node of a page: `page` in a branch; a value, a tree or an overflow page in a leaf. */
export interface PageNode {
  readonly key: string;
  readonly page?: number;
  readonly value?: string;
  readonly tree?: Buffer;
  readonly overflow?: { readonly page: number; readonly pages: number; readonly length: number };
}

/** A branch or a leaf. */
export function treePage(page: number, kind: 'branch' | 'leaf', nodes: readonly PageNode[], transaction = 1): Buffer {
  const bytes = pageOf(page, kind === 'branch' ? 1 : 2, transaction);
  let end = PAGE_SIZE;
  for (const [index, node] of nodes.entries()) {
    const made = nodeOf(node);
    end -= made.length + (made.length % 2);
    made.copy(bytes, end);
    bytes.writeUInt16LE(end - PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + 2 * index);
  }
  bytes.writeUInt16LE(2 * nodes.length, 20);
  bytes.writeUInt16LE(end - PAGE_HEADER_BYTES, 22);
  return bytes;
}

function nodeOf({ key, page = 0, value, tree, overflow }: PageNode): Buffer {
  const place = Buffer.alloc(24);
  if (overflow !== undefined) {
    place.writeBigUInt64LE(BigInt(overflow.page), 0);
    place.writeBigUInt64LE(BigInt(overflow.pages), 16);
  }
  const content = overflow === undefined ? (tree ?? Buffer.from(value ?? '')) : place;
  const head = Buffer.alloc(8);
  if (overflow === undefined && tree === undefined && value === undefined) {
    head.writeUInt32LE(page, 0);
  } else {
    head.writeUInt32LE(overflow?.length ?? content.length, 0);
    head.writeUInt16LE(overflow === undefined ? (tree === undefined ? 0 : 2) : 1, 4);
  }
  head.writeUInt16LE(key.length, 6);
  return Buffer.concat([head, Buffer.from(key), content]);
}

/** The pages of a large value. */
export function overflowPages(page: number, pages: number, value: string, transaction = 1): Buffer {
  const bytes = Buffer.alloc(pages * PAGE_SIZE);
  pageOf(page, 4, transaction).copy(bytes);
  bytes.writeUInt32LE(pages, 20);
  bytes.write(value, PAGE_HEADER_BYTES);
  return bytes;
}

function pageOf(page: number, flags: number, transaction: number): Buffer {
  const bytes = Buffer.alloc(PAGE_SIZE);
  bytes.writeBigUInt64LE(BigInt(page), 0);
  bytes.writeBigUInt64LE(BigInt(transaction), 8);
  bytes.writeUInt16LE(flags, 18);
  return bytes;
}

/** A tree without a page. */
export const NO_TREE: TreeRoot = {
  flags: 0,
  depth: 0,
  branchPages: 0,
  leafPages: 0,
  overflowPages: 0,
  entries: 0,
  root: undefined,
};

/** What a meta page or a leaf says of a tree. */
export function treeBytes(tree: TreeRoot): Buffer {
  const bytes = Buffer.alloc(TREE_BYTES);
  bytes.writeUInt16LE(tree.flags, 4);
  bytes.writeUInt16LE(tree.depth, 6);
  const counts = [tree.branchPages, tree.leafPages, tree.overflowPages, tree.entries];
  for (const [index, count] of counts.entries()) bytes.writeBigUInt64LE(BigInt(count), 8 + 8 * index);
  bytes.writeBigUInt64LE(tree.root === undefined ? 2n ** 64n - 1n : BigInt(tree.root), 40);
  return bytes;
}

/** What a meta page says that is not as LMDB makes it in a new file. */
export interface MetaPage {
  readonly page: number;
  readonly transaction: number;
  readonly lastPage?: number;
  readonly pageSize?: number;
  readonly main?: TreeRoot;
  readonly free?: TreeRoot;
}

/** A meta page. */
export function metaPage(meta: MetaPage): Buffer {
  const { page, transaction, lastPage = 1, pageSize = PAGE_SIZE, main = NO_TREE, free = NO_TREE } = meta;
  const bytes = Buffer.alloc(Math.max(PAGE_SIZE, META_BYTES));
  bytes.writeBigUInt64LE(BigInt(page), 0);
  bytes.writeUInt16LE(8, 18);
  bytes.writeUInt32LE(0xbeefc0de, 24);
  bytes.writeUInt32LE(2, 28);
  bytes.writeUInt32LE(pageSize, 48);
  // The page size of LMDB stands where the first four bytes of the tree of free pages would.
  treeBytes({ ...free, flags: 8 }).copy(bytes, 52, 4);
  treeBytes(main).copy(bytes, 96);
  bytes.writeBigUInt64LE(BigInt(lastPage), 144);
  bytes.writeBigUInt64LE(BigInt(transaction), 152);
  return bytes;
}
