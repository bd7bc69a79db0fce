import { describe, expect, it } from 'vitest';
import { number, readMeta, readTree } from './lmdb-meta.ts';
import { metaPage, NO_TREE, treeBytes } from './lmdb-pages.fixture.ts';

const TREE = { flags: 0, depth: 2, branchPages: 1, leafPages: 2, overflowPages: 3, entries: 4, root: 5 };

describe('a tree', () => {
  it('is read with all of its counts, and an empty one has no root', () => {
    expect(readTree(treeBytes(TREE), 0)).toEqual(TREE);
    expect(readTree(Buffer.concat([Buffer.alloc(7), treeBytes(TREE)]), 7)).toEqual(TREE);
    expect(readTree(treeBytes(NO_TREE), 0)).toEqual(NO_TREE);
  });

  it.each([8, 16, 24, 32, 40])('with a number that no file can have, at %i, is damaged', (field) => {
    const bytes = treeBytes(TREE);
    bytes.writeBigUInt64LE(2n ** 60n, field);
    expect(readTree(bytes, 0)).toBeUndefined();
  });

  it.each([
    ['no level', { ...TREE, depth: 0 }, false],
    ['one level', { ...TREE, depth: 1 }, true],
    ['32 levels', { ...TREE, depth: 32 }, true],
    ['33 levels', { ...TREE, depth: 33 }, false],
    ['levels but no root', { ...NO_TREE, depth: 1 }, false],
    ['entries but no root', { ...NO_TREE, entries: 1 }, false],
  ])('with %s is sound or damaged', (_, tree, isSound) => {
    expect(readTree(treeBytes(tree), 0)).toEqual(isSound ? tree : undefined);
  });
});

it('a number of 53 bits is read, and a larger one is none', () => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(2n ** 53n - 1n, 8);
  expect(number(bytes, 8)).toBe(2 ** 53 - 1);
  bytes.writeBigUInt64LE(2n ** 53n, 8);
  expect(number(bytes, 8)).toBeUndefined();
});

describe('a meta page', () => {
  it('says what the file has', () => {
    const free = { ...TREE, flags: 8, entries: 9 };
    const page = metaPage({ page: 1, transaction: 7, lastPage: 12, pageSize: 4096, main: TREE, free });
    expect(readMeta(page, 1)).toEqual({ pageSize: 4096, free, main: TREE, lastPage: 12, transaction: 7 });
    expect(readMeta(page.subarray(0, 168), 1)).toMatchObject({ transaction: 7 });
  });

  it.each([512, 1024, 65_536])('may have the page size %i', (pageSize) => {
    expect(readMeta(metaPage({ page: 0, transaction: 0, pageSize }), 0)).toMatchObject({ pageSize });
  });

  it.each([0, 256, 511, 513, 768, 65_537, 131_072])('does not have the page size %i', (pageSize) => {
    expect(readMeta(metaPage({ page: 0, transaction: 0, pageSize }), 0)).toBe(`has the page size ${pageSize}`);
  });

  const damages: readonly (readonly [string, string, (bytes: Buffer) => void])[] = [
    ['another mark', 'does not have the mark of LMDB', (b) => b.writeUInt32LE(0xbeefc0df, 24)],
    ['another version', 'has the LMDB data version 1, not 2', (b) => b.writeUInt32LE(1, 28)],
    ['another number', 'has a damaged page header', (b) => b.writeUInt32LE(1, 0)],
    ['no flag of a meta page', 'has a damaged page header', (b) => b.writeUInt16LE(4, 18)],
    ['a last page that is no number', 'has a damaged last page or transaction', (b) => b.fill(255, 144, 152)],
    ['a transaction that is no number', 'has a damaged last page or transaction', (b) => b.fill(255, 152, 160)],
    ['a damaged tree of free pages', 'has a damaged tree', (b) => b.writeUInt16LE(1, 48 + 6)],
    ['a damaged tree of tables', 'has a damaged tree', (b) => b.writeUInt16LE(1, 96 + 6)],
    ['free pages that are no numbers', 'has damaged flags', (b) => b.writeUInt16LE(0, 48 + 4)],
    ['free pages with one more flag', 'has damaged flags', (b) => b.writeUInt16LE(8 | 4, 48 + 4)],
    ['tables with flags', 'has damaged flags', (b) => b.writeUInt16LE(8, 96 + 4)],
  ];
  it.each(damages)('with %s is damaged', (_, message, damage) => {
    const bytes = metaPage({ page: 0, transaction: 0 });
    damage(bytes);
    expect(readMeta(bytes, 0)).toBe(message);
  });

  it('may have more flags, of the options that the file was opened with, and a version with a mark above it', () => {
    const bytes = metaPage({ page: 0, transaction: 0 });
    bytes.writeUInt16LE(8 | 16, 18);
    bytes.writeUInt16LE(8 | 0x4000, 48 + 4);
    bytes.writeUInt32LE(2 | 0x10000, 28);
    expect(readMeta(bytes, 0)).toMatchObject({ transaction: 0 });
  });

  it('that is cut off is none', () => {
    expect(readMeta(metaPage({ page: 0, transaction: 0 }).subarray(0, 167), 0)).toBe('is cut off');
  });
});
