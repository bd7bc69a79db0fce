/** Checks a data file before LMDB maps it: in a damaged one the native library ends the process. */

import { corruptError } from '../corrupt-error.ts';
import { decodeFreeList, type FreeSpan } from './free-list.ts';
import { LmdbFile, WHAT_TO_DO } from './lmdb-file.ts';
import { readTree, TREE_BYTES, type TreeRoot } from './lmdb-meta.ts';
import { type TreeRow, TreeWalk, type WalkDepth } from './tree-walk.ts';

/**
 * Up to this size every page is looked at, which takes about 70 ms. In larger files only the inner ones, unless the last
 * process did not close the store: if damage was what ended it, it must not end every later one without a word.
 */
const SMALL_BYTES = 64 * 2 ** 20;

const FACTS = 'facts';

/** The tables of a store. */
const TABLES: ReadonlySet<string> = new Set(['versions', 'log', 'expiry', FACTS]);

/** A table of the file. */
export interface FileTable {
  readonly name: string;
  readonly tree: TreeRoot;
}

/** Throws `CORRUPT` when the file is empty, cut off, or does not hold together. `smallBytes` is for tests. */
export function checkDataFile(path: string, smallBytes: number = SMALL_BYTES): void {
  const file = LmdbFile.open(path);
  try {
    const findings: string[] = [];
    const walk = new TreeWalk(file, (finding) => findings.push(finding));
    const free = freePages(file, walk, findings);
    const tables = fileTables(file, walk, findings);
    const facts = tables.find(({ name }) => name === FACTS);
    const held = facts !== undefined && hasHolder(walk.rows(facts.tree, `the table ${FACTS}`, 'keys'));
    // LMDB does not write pages that were taken and given back in one transaction, so a sound file can be shorter than
    // its meta page says. Then only looking at every page tells whether something is missing.
    const short = file.pages <= file.meta.lastPage;
    const depth: WalkDepth = short || held || file.size <= smallBytes ? 'keys' : 'branches';
    for (const { name, tree } of tables) {
      if (findings.length > 0) break;
      if (name !== FACTS) exhaust(walk.rows(tree, `the table ${name}`, depth));
    }
    if (findings.length === 0) walk.checkFree(free);
    // Another process is writing: its pages change while they are read, and the lock refuses this process anyway.
    if (findings.length === 0 || file.changed) return;
    const cut = short ? ' (the file may have been cut off)' : '';
    throw corruptError(`${path}: ${findings[0]}${cut}; ${WHAT_TO_DO}`);
  } finally {
    file.close();
  }
}

/** The pages that a file lists as free. LMDB writes to them, so they must exist and be nobody's. */
export function freePages(file: LmdbFile, walk: TreeWalk, findings: string[]): readonly FreeSpan[] {
  const spans: FreeSpan[] = [];
  for (const { key, value } of walk.rows(file.meta.free, 'the list of free pages', 'values')) {
    const decoded = value === undefined || key.length !== 8 ? undefined : decodeFreeList(value);
    if (decoded === undefined) findings.push('the list of free pages cannot be decoded');
    else for (const span of decoded) spans.push(span);
  }
  return spans;
}

/** The tables of a file. */
export function fileTables(file: LmdbFile, walk: TreeWalk, findings: string[]): readonly FileTable[] {
  const tables: FileTable[] = [];
  for (const { key, tree } of walk.rows(file.meta.main, 'the list of tables', 'keys')) {
    // lmdb writes the names with a NUL behind them.
    const name = key.toString('utf8').replace(/\0$/, '');
    const root = tree?.length === TREE_BYTES ? readTree(tree, 0) : undefined;
    // The tables of a foreign file are none of ours; the missing format mark refuses it later.
    if (!TABLES.has(name)) continue;
    if (root === undefined || root.flags !== 0) findings.push(`the table ${JSON.stringify(name)} is damaged`);
    else tables.push({ name, tree: root });
  }
  return tables;
}

/** Whether a process stands in the table of facts that has not closed the store. */
function hasHolder(facts: Iterable<TreeRow>): boolean {
  let found = false;
  for (const { key } of facts) found ||= key.toString('utf8').startsWith('holder');
  return found;
}

function exhaust(rows: Iterable<unknown>): void {
  for (const _ of rows);
}
