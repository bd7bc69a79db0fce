import { describe, expect, it } from 'vitest';
import type { LmdbMeta } from './lmdb-meta.ts';
import { checkOverflow, checkPage, childPage, leafValue, nodeCount, nodeKey } from './lmdb-page.ts';
import { NO_TREE, overflowPages, PAGE_SIZE, treePage } from './lmdb-pages.fixture.ts';

const leaf = (): Buffer =>
  treePage(5, 'leaf', [
    { key: 'a', value: 'one' },
    { key: 'bc', tree: Buffer.alloc(48, 7) },
    { key: 'd', overflow: { page: 9, pages: 3, length: 1200 } },
  ]);
const branch = (): Buffer =>
  treePage(5, 'branch', [
    { key: '', page: 6 },
    { key: 'k', page: 7 },
  ]);
const expected = (kind: 'branch' | 'leaf') => ({ page: 5, kind, transaction: 1 }) as const;

/** Where the node stands in its page. */
const nodeAt = (bytes: Buffer, node: number): number => bytes.readUInt16LE(24 + 2 * node) + 24;

describe('a page of a tree', () => {
  it('is sound as it was made, and its nodes can be read', () => {
    expect([checkPage(leaf(), expected('leaf')), checkPage(branch(), expected('branch'))]).toEqual([
      undefined,
      undefined,
    ]);
    expect([nodeCount(leaf()), nodeCount(branch())]).toEqual([3, 2]);
    expect([0, 1, 2].map((node) => nodeKey(leaf(), node).toString())).toEqual(['a', 'bc', 'd']);
    expect([0, 1].map((node) => childPage(branch(), node))).toEqual([6, 7]);
    const values = [0, 1, 2].map((node) => leafValue(leaf(), node));
    expect(values.map((value) => value?.type)).toEqual(['inline', 'tree', 'overflow']);
    expect(values[2]).toEqual({ type: 'overflow', page: 9, pages: 3, length: 1200 });
    const [value] = values;
    if (value?.type !== 'inline') return expect.unreachable();
    expect(leaf().subarray(value.start, value.end).toString()).toBe('one');
  });

  it('may point to a page whose number needs more than 32 bits', () => {
    const bytes = branch();
    bytes.writeUInt16LE(3, nodeAt(bytes, 1) + 4);
    expect(childPage(bytes, 1)).toBe(3 * 2 ** 32 + 7);
  });

  it('may end where its nodes begin: a full page', () => {
    const bytes = treePage(5, 'leaf', [{ key: 'k', value: 'v'.repeat(PAGE_SIZE - 24 - 2 - 8 - 1) }]);
    expect(bytes.readUInt16LE(20)).toBe(bytes.readUInt16LE(22) - 0);
    expect(checkPage(bytes, expected('leaf'))).toBeUndefined();
    expect(leafValue(bytes, 0)).toMatchObject({ end: PAGE_SIZE });
  });

  const damages: readonly (readonly [string, 'branch' | 'leaf', string, (bytes: Buffer) => void])[] = [
    ['another number', 'leaf', 'does not have its number', (b) => b.writeUInt32LE(6, 0)],
    ['a number of more than 32 bits', 'leaf', 'does not have its number', (b) => b.writeUInt32LE(1, 4)],
    ['a later transaction', 'leaf', 'is of a transaction that has not happened', (b) => b.writeUInt32LE(2, 8)],
    ['a transaction that is no number', 'leaf', 'is of a transaction that has not happened', (b) => b.fill(255, 8, 16)],
    ['the flags of a branch', 'leaf', 'is not a leaf page', (b) => b.writeUInt16LE(1, 18)],
    ['the flags of a leaf', 'branch', 'is not a branch page', (b) => b.writeUInt16LE(2, 18)],
    ['one more flag', 'leaf', 'is not a leaf page', (b) => b.writeUInt16LE(2 | 16, 18)],
    ['half a node', 'leaf', 'has damaged bounds', (b) => b.writeUInt16LE(5, 20)],
    ['bounds that overlap', 'leaf', 'has damaged bounds', (b) => b.writeUInt16LE(4, 22)],
    ['bounds beyond the page', 'leaf', 'has damaged bounds', (b) => b.writeUInt16LE(PAGE_SIZE - 24 + 1, 22)],
    ['no nodes', 'leaf', 'has no nodes', (b) => b.writeUInt16LE(0, 20)],
    ['a node before its room', 'leaf', 'has a node outside of it', (b) => b.writeUInt16LE(b.readUInt16LE(22) - 1, 24)],
    ['a node whose header is cut', 'leaf', 'has a node outside of it', (b) => b.writeUInt16LE(PAGE_SIZE - 24 - 7, 24)],
    ['a key that is too long', 'branch', 'has a key outside of it', (b) => b.writeUInt16LE(1, nodeAt(b, 0) + 6)],
    ['a value that is too long', 'leaf', 'has a value outside of it', (b) => b.writeUInt32LE(5, nodeAt(b, 0))],
    ['a node with several values', 'leaf', 'has a value outside of it', (b) => b.writeUInt16LE(4, nodeAt(b, 1) + 4)],
    ['a node with an unknown flag', 'leaf', 'has a value outside of it', (b) => b.writeUInt16LE(8, nodeAt(b, 1) + 4)],
    [
      'a large value that is no number',
      'leaf',
      'has a value outside of it',
      (b) => b.fill(255, nodeAt(b, 2) + 9, nodeAt(b, 2) + 17),
    ],
    [
      'a length in pages that is no number',
      'leaf',
      'has a value outside of it',
      (b) => b.fill(255, nodeAt(b, 2) + 25, nodeAt(b, 2) + 33),
    ],
    [
      'a large value in the last bytes',
      'leaf',
      'has a value outside of it',
      (b) => b.writeUInt16LE(1, nodeAt(b, 0) + 4),
    ],
  ];
  it.each(damages)('with %s is damaged', (_, kind, message, damage) => {
    const bytes = kind === 'leaf' ? leaf() : branch();
    damage(bytes);
    expect(checkPage(bytes, expected(kind))).toBe(message);
  });

  it('whose last header, key or value ends with the page is sound', () => {
    // The first node is the last one in the page: its value has an odd byte behind it.
    const bytes = treePage(5, 'leaf', [{ key: 'ab', value: 'cd' }]);
    const at = nodeAt(bytes, 0);
    expect(at + 8 + 2 + 2).toBe(PAGE_SIZE);
    expect(checkPage(bytes, expected('leaf'))).toBeUndefined();
    bytes.writeUInt32LE(0, at);
    bytes.writeUInt16LE(4, at + 6);
    expect(checkPage(bytes, expected('leaf'))).toBeUndefined();
    const empty = treePage(5, 'branch', [{ key: '', page: 6 }]);
    expect(nodeAt(empty, 0) + 8).toBe(PAGE_SIZE);
    expect(checkPage(empty, expected('branch'))).toBeUndefined();
    const large = treePage(5, 'leaf', [{ key: 'ab', overflow: { page: 9, pages: 1, length: 5 } }]);
    expect(checkPage(large, expected('leaf'))).toBeUndefined();
  });
});

const value = (length: number) => ({ type: 'overflow', page: 9, pages: 3, length }) as const;

describe('the pages of a large value', () => {
  const meta: LmdbMeta = { pageSize: PAGE_SIZE, free: NO_TREE, main: NO_TREE, lastPage: 20, transaction: 1 };
  const room = 3 * PAGE_SIZE - 24;

  it('are sound when they have the number, and room for the value', () => {
    for (const length of [0, 1, 2 * PAGE_SIZE, room])
      expect(checkOverflow(overflowPages(9, 3, ''), value(length), meta)).toBeUndefined();
  });

  const damages: readonly (readonly [string, string, (bytes: Buffer) => void])[] = [
    ['another number', 'does not have its number', (b) => b.writeUInt32LE(8, 0)],
    ['other flags', 'is not an overflow page', (b) => b.writeUInt16LE(2, 18)],
    ['a later transaction', 'is of a transaction that has not happened', (b) => b.writeUInt32LE(2, 8)],
    ['a transaction that is no number', 'is of a transaction that has not happened', (b) => b.fill(255, 8, 16)],
    ['another count', 'is too short for its value', (b) => b.writeUInt32LE(2, 20)],
  ];
  it.each(damages)('with %s are damaged', (_, message, damage) => {
    const bytes = overflowPages(9, 3, '');
    damage(bytes);
    expect(checkOverflow(bytes, value(1200), meta)).toBe(message);
  });

  it('that are too few are damaged', () => {
    expect(checkOverflow(overflowPages(9, 3, ''), value(room + 1), meta)).toBe('is too short for its value');
  });
});
