import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLmdbEngine } from '../lmdb-engine.ts';
import { openTables } from '../tables.ts';
import { checkDataFile } from './data-file-check.ts';
import { nodeCount, nodeKey } from './lmdb-page.ts';

const PAGE = 4096;
let folder = '';
let file = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-file-'));
  file = join(folder, 'data.mdb');
  const engine = await openLmdbEngine({ path: folder });
  const commits = Array.from({ length: 500 }, (_, i) =>
    engine.commit({ type: 'put', key: `/registry/pods/${i}`, value: Buffer.alloc(500, 'v') }),
  );
  await Promise.all(commits);
  await engine.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Overwrites the last page that has keys of pods in it: a leaf. */
function damageLeaf(): void {
  const bytes = readFileSync(file);
  const at = bytes.lastIndexOf('/registry/pods/9');
  bytes.fill(0, at - (at % PAGE), at - (at % PAGE) + PAGE);
  writeFileSync(file, bytes);
}

it('a branch that leads to keys beside its own is found', () => {
  const bytes = readFileSync(file);
  for (let at = 2 * PAGE; at < bytes.length; at += PAGE) {
    const page = bytes.subarray(at, at + PAGE);
    const isBranch = page.readUInt16LE(18) === 1;
    // Before every key of the pages to the left.
    if (isBranch && nodeCount(page) > 1) nodeKey(page, 1).fill(0);
  }
  writeFileSync(file, bytes);
  expect(() => checkDataFile(file)).toThrow(/a branch of the table \w+ does not separate its keys/u);
});

describe('a file that counts as large', () => {
  it('has only its inner pages checked after it was closed', () => {
    expect(() => checkDataFile(file, 0)).not.toThrow();
    damageLeaf();
    expect(() => checkDataFile(file, 0)).not.toThrow();
    expect(() => checkDataFile(file)).toThrow(/page \d+ of the table versions/);
  });

  it('has every page checked when the last process did not close it', async () => {
    const tables = openTables(folder);
    tables.facts.putSync('holder', { pid: 1 });
    await tables.root.close();
    expect(() => checkDataFile(file, 0)).not.toThrow();
    damageLeaf();
    expect(() => checkDataFile(file, 0)).toThrow(/page \d+ of the table versions/);
  });
});
