import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LmdbFile } from './lmdb-file.ts';
import type { TreeRoot } from './lmdb-meta.ts';
import { metaPage, NO_TREE, overflowPages, PAGE_SIZE, type PageNode, treePage } from './lmdb-pages.fixture.ts';
import { TreeWalk, type WalkDepth } from './tree-walk.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-walk-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const VALUE = 'v'.repeat(600);
const [A, B, C] = [
  { key: 'a', value: '1' },
  { key: 'b', value: '2' },
  { key: 'c', value: '3' },
];
const LARGE: PageNode = { key: 'd', overflow: { page: 5, pages: 2, length: VALUE.length } };
/** A branch with two leaves, and a large value on pages of its own. */
const TREE: TreeRoot = { flags: 0, depth: 2, branchPages: 1, leafPages: 2, overflowPages: 2, entries: 4, root: 2 };

/** The pages from number 2 on. */
function pages(): Buffer[] {
  return [
    treePage(2, 'branch', [
      { key: '', page: 3 },
      { key: 'c', page: 4 },
    ]),
    treePage(3, 'leaf', [A, B]),
    treePage(4, 'leaf', [C, LARGE]),
    overflowPages(5, 2, VALUE),
  ];
}

interface Walked {
  readonly findings: readonly string[];
  readonly rows: readonly string[];
}

function walkAll(parts: readonly Buffer[], use: (walk: TreeWalk, rows: string[]) => void, lastPage = 6): Walked {
  const path = join(folder, 'data.mdb');
  const metas = [0, 1].map((page) => metaPage({ page, transaction: page, lastPage }));
  writeFileSync(path, Buffer.concat([...metas, ...parts]));
  const file = LmdbFile.open(path);
  const findings: string[] = [];
  const rows: string[] = [];
  try {
    use(new TreeWalk(file, (finding) => findings.push(finding)), rows);
  } finally {
    file.close();
  }
  return { findings, rows };
}

function walkTree(parts: readonly Buffer[], tree: TreeRoot = TREE, depth: WalkDepth = 'values', lastPage = 6): Walked {
  return walkAll(
    parts,
    (walk, rows) => {
      for (const { key, value, tree: inner } of walk.rows(tree, 'it', depth))
        rows.push(`${key.toString()}=${value?.length ?? (inner === undefined ? '-' : `tree ${inner.length}`)}`);
    },
    lastPage,
  );
}

describe('a walk through a tree', () => {
  it('gives its rows in order, large values when they are asked for', () => {
    expect(walkTree(pages())).toEqual({ findings: [], rows: ['a=1', 'b=1', 'c=1', 'd=600'] });
    expect(walkTree(pages(), TREE, 'keys')).toEqual({ findings: [], rows: ['a=1', 'b=1', 'c=1', 'd=-'] });
    expect(walkTree(pages(), TREE, 'branches')).toEqual({ findings: [], rows: [] });
    expect(walkTree([], NO_TREE, 'values', 1)).toEqual({ findings: [], rows: [] });
  });

  it('gives the bytes of a large value, and those of a tree in a leaf', () => {
    const inner = Buffer.alloc(48, 7);
    const parts = [
      treePage(2, 'leaf', [
        { key: 'a', tree: inner },
        { key: 'b', overflow: { page: 3, pages: 2, length: 600 } },
      ]),
      overflowPages(3, 2, VALUE),
    ];
    const seen: (Buffer | undefined)[] = [];
    const tree = { ...TREE, depth: 1, branchPages: 0, leafPages: 1, entries: 2 };
    const { findings } = walkAll(
      parts,
      (walk) => {
        for (const { value, tree: found } of walk.rows(tree, 'it', 'values'))
          seen.push(value && Buffer.from(value), found && Buffer.from(found));
      },
      4,
    );
    expect([findings, seen]).toEqual([[], [undefined, inner, Buffer.from(VALUE), undefined]]);
  });

  it.each([
    ['entries', { ...TREE, entries: 5 }, '5, 1, 2, 2', 'values'],
    ['branches', { ...TREE, branchPages: 2 }, '4, 2, 2, 2', 'keys'],
    ['leaves', { ...TREE, leafPages: 3 }, '4, 1, 3, 2', 'keys'],
    ['overflow pages', { ...TREE, overflowPages: 1 }, '4, 1, 2, 1', 'keys'],
  ] as const)('finds another number of %s than the tree says, when it reads all of them', (_, tree, said, depth) => {
    const message = `it should have ${said} entries, branch, leaf and overflow pages, but has 4, 1, 2, 2`;
    expect(walkTree(pages(), tree, depth).findings).toEqual([message]);
    expect(walkTree(pages(), tree, 'branches').findings).toEqual([]);
  });

  it('finds a leaf that is damaged, goes on with the others, and does not count what is left', () => {
    const parts = pages();
    parts[1]?.writeUInt32LE(9, 0);
    expect(walkTree(parts)).toEqual({ findings: ['page 3 of it does not have its number'], rows: ['c=1', 'd=600'] });
    expect(walkTree(parts, TREE, 'branches').findings).toEqual([]);
  });

  it('finds a damaged branch also when it reads branches alone, and leaves that are not there or used twice', () => {
    const parts = pages();
    parts[0]?.writeUInt32LE(9, 0);
    expect(walkTree(parts, TREE, 'branches').findings).toEqual(['page 2 of it does not have its number']);
    const beyond = [
      treePage(2, 'branch', [
        { key: '', page: 3 },
        { key: 'c', page: 9 },
      ]),
      ...pages().slice(1),
    ];
    expect(walkTree(beyond, TREE, 'branches').findings).toEqual(['it needs page 9, but the file has 7 pages']);
    const twice = [
      treePage(2, 'branch', [
        { key: '', page: 3 },
        { key: 'c', page: 3 },
      ]),
      ...pages().slice(1),
    ];
    expect(walkTree(twice, TREE, 'branches').findings).toEqual(['page 3 of it is used twice']);
  });

  it.each([
    ['a root before the first page of a tree', { ...TREE, root: 1 }, 'it needs page 1, but the file has 7 pages'],
    ['a root beyond the file', { ...TREE, root: 7 }, 'it needs page 7, but the file has 7 pages'],
    ['a root that is no branch', { ...TREE, root: 3 }, 'page 3 of it is not a branch page'],
    ['a root that is no leaf', { ...TREE, depth: 1 }, 'page 2 of it is not a leaf page'],
  ])('finds %s', (_, tree, message) => {
    expect(walkTree(pages(), tree)).toEqual({ findings: [message], rows: [] });
  });

  it('finds a page that is used twice, by two nodes or by two trees', () => {
    const twice = [
      treePage(2, 'branch', [
        { key: '', page: 3 },
        { key: 'b', page: 3 },
      ]),
      treePage(3, 'leaf', [A]),
    ];
    expect(walkTree(twice).findings).toEqual(['page 3 of it is used twice']);
    const found = walkAll(pages(), (walk) => {
      for (const name of ['one', 'other']) for (const _ of walk.rows(TREE, name, 'keys'));
    });
    expect(found.findings).toEqual(['page 2 of other is used twice']);
  });

  it.each([
    ['a page before the first', { page: 1, pages: 2 }, 'it needs page 1 to 2, but the file has 7 pages'],
    ['a page beyond the last', { page: 6, pages: 2 }, 'it needs page 6 to 7, but the file has 7 pages'],
    ['no page', { page: 5, pages: 0 }, 'it needs page 5, but the file has 7 pages'],
    ['a page that is no large value', { page: 3, pages: 2 }, 'page 3 of it is used twice'],
    ['too few pages', { page: 5, pages: 1 }, 'page 5 of it cannot be read'],
  ])('finds %s of a large value', (_, overflow, message) => {
    const parts = pages();
    parts[2] = treePage(4, 'leaf', [C, { key: 'd', overflow: { ...overflow, length: 600 } }]);
    const { findings, rows } = walkTree(parts);
    expect([findings, rows]).toEqual([[message], ['a=1', 'b=1', 'c=1', 'd=-']]);
  });

  it('finds a large value whose pages are damaged, or are not in the file', () => {
    const parts = pages();
    parts[3]?.writeUInt32LE(9, 0);
    expect(walkTree(parts).findings).toEqual(['page 5 of it does not have its number']);
    expect(walkTree(pages().slice(0, 3)).findings).toEqual(['it needs page 5 to 6, but the file has 5 pages']);
  });

  it.each([
    ['keys in a leaf', [B, A], [C], ['the keys of it are not in order'], 'c'],
    ['equal keys', [A, A], [C], ['the keys of it are not in order'], 'c'],
    [
      'a leaf behind another one',
      [A, C],
      [B],
      ['a branch of it does not separate its keys', 'the keys of it are not in order'],
      'b',
    ],
    ['a separator above its leaf', [A], [B], ['the keys of it are not in order'], 'c'],
    [
      'a separator that is the last key',
      [A, C],
      [{ key: 'd', value: '' }],
      ['a branch of it does not separate its keys'],
      'c',
    ],
    ['a separator below its leaf, which is sound', [A], [C], [], 'b'],
  ] as const)('finds %s', (_, first, second, messages, separator) => {
    const parts = [
      treePage(2, 'branch', [
        { key: '', page: 3 },
        { key: separator, page: 4 },
      ]),
      treePage(3, 'leaf', first),
      treePage(4, 'leaf', second),
    ];
    const tree = { ...TREE, overflowPages: 0, entries: first.length + second.length };
    expect(walkTree(parts, tree, 'values', 4).findings).toEqual(messages);
    // Keys that are numbers are in an order of their own.
    expect(walkTree(parts, { ...tree, flags: 8 }, 'values', 4).findings).toEqual([]);
  });
});

const free = (
  spans: readonly { readonly page: number; readonly pages: number }[],
  parts = pages(),
): readonly string[] =>
  walkAll(
    [...parts, Buffer.alloc(3 * PAGE_SIZE)],
    (walk) => {
      for (const _ of walk.rows(TREE, 'it', 'keys'));
      walk.checkFree(spans);
    },
    9,
  ).findings;

describe('free pages', () => {
  it('are nobody else’s, each listed once, and within the file', () => {
    expect(free([{ page: 7, pages: 3 }])).toEqual([]);
    expect(
      free([
        { page: 9, pages: 1 },
        { page: 7, pages: 2 },
      ]),
    ).toEqual([]);
    expect(free([])).toEqual([]);
  });

  it.each([
    ['beyond the last page', [{ page: 8, pages: 3 }], 'page 10 is listed as free, but the last one is 9'],
    ['in use', [{ page: 6, pages: 2 }], 'page 6 is listed as free, but it is in use or listed twice'],
    [
      'listed twice',
      [
        { page: 7, pages: 2 },
        { page: 8, pages: 1 },
      ],
      'page 8 is listed as free, but it is in use or listed twice',
    ],
  ])('that are %s are found, the first of them', (_, spans, message) => {
    expect(free([...spans, { page: 2, pages: 1 }])).toEqual([message]);
  });

  it('at the end may never have been written', () => {
    const found = walkAll(pages(), (walk) => walk.checkFree([{ page: 7, pages: 20 }]), 26);
    expect(found.findings).toEqual([]);
  });
});
