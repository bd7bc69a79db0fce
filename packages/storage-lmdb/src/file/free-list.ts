/**
 * The list of free pages of an LMDB file, as lmdb writes it: for each transaction a count and that many numbers. A
 * positive one is a free page, a negative one says how many pages are free from the next number on, 0 is a gap.
 */

import { number } from './lmdb-meta.ts';

/** Free pages that follow one another. */
export interface FreeSpan {
  readonly page: number;
  readonly pages: number;
}

/** The spans of one value of the list; undefined when it cannot be decoded. */
export function decodeFreeList(value: Buffer): readonly FreeSpan[] | undefined {
  const room = value.length / 8 - 1;
  const count = value.length >= 8 ? number(value, 0) : undefined;
  if (count === undefined || !Number.isInteger(room) || count > room) return undefined;
  const spans: FreeSpan[] = [];
  for (let i = 1; i <= count; i += 1) {
    const entry = value.readBigInt64LE(8 * i);
    if (entry === 0n) continue;
    let pages = 1;
    let page = entry;
    if (entry < 0n) {
      pages = Number(-entry);
      i += 1;
      // lmdb may write a length as the last number of one value and its page as the first of the next.
      if (i > count) break;
      page = value.readBigInt64LE(8 * i);
    }
    if (page < 2n || page > BigInt(Number.MAX_SAFE_INTEGER) || !Number.isSafeInteger(pages)) return undefined;
    spans.push({ page: Number(page), pages });
  }
  return spans;
}
