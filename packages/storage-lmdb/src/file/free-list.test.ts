import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLmdbEngine } from '../lmdb-engine.ts';
import { checkDataFile } from './data-file-check.ts';
import { decodeFreeList } from './free-list.ts';
import { LmdbFile } from './lmdb-file.ts';
import { leafValue, nodeCount } from './lmdb-page.ts';

function list(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeBigInt64LE(BigInt(number), 8 * i);
  return bytes;
}

describe('a list of free pages', () => {
  it('has pages, runs of pages, and gaps', () => {
    expect(decodeFreeList(list(6, 9, 0, -3, 20, 0, 5))).toEqual([
      { page: 9, pages: 1 },
      { page: 20, pages: 3 },
      { page: 5, pages: 1 },
    ]);
    expect(decodeFreeList(list(0))).toEqual([]);
    expect(decodeFreeList(list(1, -4, 7))).toEqual([]);
  });

  it.each([
    ['an empty value', Buffer.alloc(0)],
    ['half a number', Buffer.alloc(12)],
    ['a count beyond its end', list(3, 4, 5)],
    ['a meta page', list(1, 1)],
    ['a run without a page', list(2, -3, 0)],
  ])('is refused with %s', (_, bytes) => {
    expect(decodeFreeList(bytes)).toBeUndefined();
  });

  it('that names a page in use, or one beyond the end, makes a file damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'listwatch-free-'));
    const engine = await openLmdbEngine({ path: folder });
    for (let i = 0; i < 50; i += 1) await engine.commit({ type: 'put', key: `k${i % 5}`, value: Buffer.alloc(3000) });
    await engine.close();
    const path = join(folder, 'data.mdb');
    expect(() => checkDataFile(path)).not.toThrow();
    const file = LmdbFile.open(path);
    const { free, main, lastPage, pageSize } = file.meta;
    file.close();
    const bytes = readFileSync(path);
    const start = (free.root ?? 0) * pageSize;
    const page = bytes.subarray(start, start + pageSize);
    const last = leafValue(page, nodeCount(page) - 1);
    expect(last?.type).toBe('inline');
    for (const [bad, message] of [
      [main.root ?? 0, /is listed as free, but it is in use/],
      [lastPage + 5, /is listed as free, but the last one is/],
    ] as const) {
      // The first number behind the count of the newest list.
      bytes.writeBigInt64LE(BigInt(bad), start + (last?.type === 'inline' ? last.start : 0) + 8);
      writeFileSync(path, bytes);
      expect(() => checkDataFile(path)).toThrow(message);
    }
    rmSync(folder, { recursive: true });
  });
});
