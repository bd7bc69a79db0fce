import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LmdbFile } from './lmdb-file.ts';
import { type MetaPage, metaPage, PAGE_SIZE } from './lmdb-pages.fixture.ts';

let path = '';
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'listwatch-lmdb-')), 'data.mdb');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

function write(first: Partial<MetaPage>, second: Partial<MetaPage>, more = 0): void {
  const metas = [metaPage({ page: 0, transaction: 0, ...first }), metaPage({ page: 1, transaction: 0, ...second })];
  writeFileSync(path, Buffer.concat([...metas, Buffer.alloc(more, 7)]));
}

function opened<T>(use: (file: LmdbFile) => T): T {
  const file = LmdbFile.open(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

const transactionOf = (file: LmdbFile): number => file.meta.transaction;

describe('a data file', () => {
  it.each([
    ['a new one', 0, 0, 0],
    ['the newer page is the second', 0, 1, 1],
    ['the newer page is the first', 2, 1, 2],
    ['the newer page is the second again', 2, 3, 3],
  ])('is as its newer meta page says: %s', (_, first, second, expected) => {
    write({ transaction: first }, { transaction: second });
    expect(opened(transactionOf)).toBe(expected);
  });

  it.each([
    [1, 0],
    [1, 2],
    [3, 2],
    [0, 3],
    [4, 1],
    [2, 2],
    [1, 1],
  ])('is damaged when its meta pages name the transactions %i and %i', (first, second) => {
    write({ transaction: first }, { transaction: second });
    expect(() => opened(transactionOf)).toThrow(
      expect.objectContaining({
        code: 'CORRUPT',
        message: expect.stringContaining(`name the transactions ${first} and ${second}`),
      }),
    );
  });

  it('is damaged when it is empty, cut off, or has meta pages of two sizes', () => {
    writeFileSync(path, '');
    expect(() => opened(transactionOf)).toThrow('data.mdb is empty');
    write({}, {});
    const bytes = Buffer.concat([metaPage({ page: 0, transaction: 0 }), metaPage({ page: 1, transaction: 0 })]);
    writeFileSync(path, bytes.subarray(0, bytes.length - 1));
    expect(() => opened(transactionOf)).toThrow('data.mdb is cut off after 1023 bytes;');
    writeFileSync(path, bytes.subarray(0, PAGE_SIZE + 100));
    expect(() => opened(transactionOf)).toThrow('meta page 1 of');
    writeFileSync(path, bytes.subarray(0, 100));
    expect(() => opened(transactionOf)).toThrow('meta page 0 of');
    write({}, { pageSize: 1024 });
    expect(() => opened(transactionOf)).toThrow('differ');
  });

  it('may end before its last page, by as many as one transaction can leave unwritten', () => {
    const lastPage = 2 + 65_536;
    write({}, { transaction: 1, lastPage });
    expect(opened(({ meta }) => meta.lastPage)).toBe(lastPage);
    write({}, { transaction: 1, lastPage: lastPage + 1 });
    expect(() => opened(transactionOf)).toThrow('or its meta pages are damaged');
  });

  it('has whole pages, and what lies behind them is not read', () => {
    write({}, { transaction: 1 }, 2 * PAGE_SIZE + 100);
    opened((file) => {
      expect([file.pages, file.size, file.path]).toEqual([4, 4 * PAGE_SIZE + 100, path]);
      const bytes = Buffer.alloc(PAGE_SIZE);
      expect([file.read(3, bytes), bytes.equals(Buffer.alloc(PAGE_SIZE, 7))]).toEqual([true, true]);
      expect(file.read(4, bytes)).toBe(false);
      expect(file.read(4, Buffer.alloc(100))).toBe(true);
    });
  });

  it('has changed when somebody has committed a transaction since, and not when it cannot be read', () => {
    write({}, { transaction: 1 });
    opened((file) => {
      expect(file.changed).toBe(false);
      write({ transaction: 2 }, { transaction: 1 });
      expect(file.changed).toBe(true);
      write({ transaction: 7 }, { transaction: 1 });
      expect(file.changed).toBe(false);
    });
  });
});
