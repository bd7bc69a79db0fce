/** Walks the trees of an LMDB file without LMDB and says what is wrong with them. */

import type { FreeSpan } from './free-list.ts';
import type { LmdbFile } from './lmdb-file.ts';
import { PAGE_HEADER_BYTES, type TreeRoot } from './lmdb-meta.ts';
import { checkOverflow, checkPage, childPage, leafValue, nodeCount, nodeKey, type OverflowValue } from './lmdb-page.ts';

/** A key with its value: views, valid until the next row is taken. */
export interface TreeRow {
  readonly key: Buffer;
  /** Undefined when it is a tree of its own, or is large and was not asked for, or cannot be read. */
  readonly value: Buffer | undefined;
  readonly tree: Buffer | undefined;
}

/** How much of a tree is read: its inner pages, all keys, or everything. */
export type WalkDepth = 'branches' | 'keys' | 'values';

/** A page that is being read. */
interface Level {
  readonly bytes: Buffer;
  readonly level: number;
  next: number;
}

/** Pages seen, to be compared with what the tree says of itself. */
interface Tally {
  branches: number;
  leaves: number;
  overflows: number;
  entries: number;
}

/** One walk through a file. A page that two nodes point to is a finding, so use one of these for all trees. */
export class TreeWalk {
  readonly #file: LmdbFile;
  readonly #report: (finding: string) => void;
  readonly #seen: Uint8Array;
  readonly #lastPage: number;
  #findings = 0;

  constructor(file: LmdbFile, report: (finding: string) => void) {
    this.#file = file;
    this.#report = report;
    this.#lastPage = Math.min(file.meta.lastPage, file.pages - 1);
    this.#seen = new Uint8Array((file.meta.lastPage >>> 3) + 1);
  }

  /** The rows of a tree in the order of the file. Damaged pages are reported and left out. */
  *rows(tree: TreeRoot, name: string, depth: WalkDepth): Generator<TreeRow, undefined> {
    if (tree.root === undefined) return;
    const before = this.#findings;
    const tally: Tally = { branches: 0, leaves: 0, overflows: 0, entries: 0 };
    const order = tree.flags === 0 ? new KeyOrder() : undefined;
    const levels: Level[] = [];
    this.#enter(levels, tree.root, tree.depth, name, depth, tally);
    for (let top = levels.at(-1); top !== undefined; top = levels.at(-1)) {
      const node = top.next;
      top.next += 1;
      if (node === nodeCount(top.bytes)) {
        levels.pop();
      } else if (top.level > 1) {
        if (node > 0 && order?.separator(nodeKey(top.bytes, node)) === false) {
          this.#find(`a branch of ${name} does not separate its keys`);
        }
        this.#enter(levels, childPage(top.bytes, node), top.level - 1, name, depth, tally);
      } else {
        tally.entries += 1;
        const key = nodeKey(top.bytes, node);
        if (order?.next(key) === false) this.#find(`the keys of ${name} are not in order`);
        yield this.#row(top.bytes, node, key, name, depth, tally);
      }
    }
    if (depth !== 'branches' && this.#findings === before) this.#compare(tree, name, tally);
  }

  /** Checks the free pages of the file, after all of its trees have been walked. */
  checkFree(spans: Iterable<FreeSpan>): void {
    for (const { page, pages } of spans) {
      // Pages at the end can be free without ever having been written.
      if (page + pages - 1 > this.#file.meta.lastPage) {
        this.#find(`page ${page + pages - 1} is listed as free, but the last one is ${this.#file.meta.lastPage}`);
        return;
      }
      for (let one = page; one < page + pages; one += 1) {
        if (!this.#mark(one)) {
          this.#find(`page ${one} is listed as free, but it is in use or listed twice`);
          return;
        }
      }
    }
  }

  #enter(levels: Level[], page: number, level: number, name: string, depth: WalkDepth, tally: Tally): void {
    if (!this.#claim(page, 1, name)) return;
    if (level === 1 && depth === 'branches') return;
    const kind = level > 1 ? 'branch' : 'leaf';
    const { pageSize, transaction } = this.#file.meta;
    const bytes = Buffer.allocUnsafe(pageSize);
    const problem = this.#file.read(page, bytes) ? checkPage(bytes, { page, kind, transaction }) : 'cannot be read';
    if (problem !== undefined) {
      this.#find(`page ${page} of ${name} ${problem}`);
      return;
    }
    if (level > 1) tally.branches += 1;
    else tally.leaves += 1;
    levels.push({ bytes, level, next: 0 });
  }

  #row(bytes: Buffer, node: number, key: Buffer, name: string, depth: WalkDepth, tally: Tally): TreeRow {
    const value = leafValue(bytes, node);
    if (value === undefined) return { key, value, tree: undefined };
    if (value.type === 'overflow') {
      tally.overflows += value.pages;
      return { key, value: this.#overflow(value, name, depth), tree: undefined };
    }
    const inside = bytes.subarray(value.start, value.end);
    return value.type === 'tree' ? { key, value: undefined, tree: inside } : { key, value: inside, tree: undefined };
  }

  #overflow(value: OverflowValue, name: string, depth: WalkDepth): Buffer | undefined {
    if (!this.#claim(value.page, value.pages, name)) return undefined;
    const whole = depth === 'values';
    const bytes = Buffer.allocUnsafe(PAGE_HEADER_BYTES + (whole ? value.length : 0));
    const { pageSize } = this.#file.meta;
    const fits = value.length + PAGE_HEADER_BYTES <= value.pages * pageSize;
    const problem =
      fits && this.#file.read(value.page, bytes) ? checkOverflow(bytes, value, this.#file.meta) : 'cannot be read';
    if (problem !== undefined) this.#find(`page ${value.page} of ${name} ${problem}`);
    return whole && problem === undefined ? bytes.subarray(PAGE_HEADER_BYTES) : undefined;
  }

  /** Whether the pages are within the file, and nobody else's. */
  #claim(page: number, count: number, name: string): boolean {
    if (page < 2 || count < 1 || page + count - 1 > this.#lastPage) {
      const end = count > 1 ? ` to ${page + count - 1}` : '';
      this.#find(`${name} needs page ${page}${end}, but the file has ${this.#lastPage + 1} pages`);
      return false;
    }
    for (let one = page; one < page + count; one += 1) {
      if (this.#mark(one)) continue;
      this.#find(`page ${one} of ${name} is used twice`);
      return false;
    }
    return true;
  }

  /** Marks a page as used; false when it was already. */
  #mark(page: number): boolean {
    const bit = 1 << (page & 7);
    const seen = this.#seen[page >>> 3] ?? 0;
    this.#seen[page >>> 3] = seen | bit;
    return (seen & bit) === 0;
  }

  #compare(tree: TreeRoot, name: string, tally: Tally): void {
    const expected = [tree.entries, tree.branchPages, tree.leafPages, tree.overflowPages].join(', ');
    const found = [tally.entries, tally.branches, tally.leaves, tally.overflows].join(', ');
    if (expected !== found) {
      this.#find(`${name} should have ${expected} entries, branch, leaf and overflow pages, but has ${found}`);
    }
  }

  #find(finding: string): void {
    this.#findings += 1;
    this.#report(finding);
  }
}

/** Whether keys, and the separators of the branches between them, ascend. */
class KeyOrder {
  #last: Buffer = Buffer.alloc(0);
  #started = false;
  #minimum: Buffer | undefined;

  next(key: Buffer): boolean {
    const minimum = this.#minimum;
    const ascends = !this.#started || Buffer.compare(this.#last, key) < 0;
    this.#minimum = undefined;
    this.#started = true;
    this.#last = key;
    return ascends && (minimum === undefined || Buffer.compare(minimum, key) <= 0);
  }

  separator(key: Buffer): boolean {
    this.#minimum = key;
    return !this.#started || Buffer.compare(this.#last, key) < 0;
  }
}
