import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, storageError } from '@listwatch/conformance/storage';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LmdbEngine, openLmdbEngine } from '../lmdb-engine.ts';
import { encodeRevision } from '../log-record.ts';
import { openTables, type Tables, writeAll } from '../tables.ts';
import { encodeVersionKey } from '../version-key.ts';
import { checkStore } from './check-store.ts';

let folder = '';
let engine: LmdbEngine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-check-'));
  engine = await openLmdbEngine({ path: folder });
  // Revisions 2 to 501, and 502 deletes.
  for (let i = 0; i < 5; i += 1) {
    const commits = Array.from({ length: 100 }, (_, k) =>
      engine.commit({
        type: 'put',
        key: `/registry/pods/${k}`,
        value: Buffer.alloc(k % 7 === 0 ? 9000 : 500, `${i}`),
        ttlSeconds: k % 2 === 0 ? 3600 : undefined,
      }),
    );
    await Promise.all(commits);
  }
  await engine.commit({ type: 'delete', key: '/registry/pods/3' });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

async function findings(harm: (tables: Tables) => void): Promise<readonly string[]> {
  await engine.close();
  const tables = openTables(folder);
  await writeAll(tables, [() => harm(tables)]);
  await tables.root.close();
  return (await checkStore({ path: folder })).findings;
}

describe('checkStore', () => {
  it('finds nothing in a sound store, says how much it read, and writes nothing', async () => {
    await engine.close();
    const file = join(folder, 'data.mdb');
    const before = readFileSync(file);
    const modified = statSync(file).mtimeMs;
    expect(await checkStore({ path: folder })).toEqual({
      findings: [],
      keys: 99,
      values: 500,
      bytes: statSync(file).size,
      revision: 502n,
      compacted: 0n,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(statSync(file).mtimeMs).toBe(modified);
  });

  it('finds nothing in a new store, in one that is compacted, nor in a copy of one that is in use', async () => {
    const fresh = join(folder, 'fresh');
    await (await openLmdbEngine({ path: fresh })).close();
    expect(await checkStore({ path: fresh })).toMatchObject({ findings: [], keys: 0, revision: 1n });
    await engine.compact(400n);
    await eventually('the sweep', () => engine.stats().swept === 400n);
    const copy = join(folder, 'copy');
    cpSync(join(folder, 'data.mdb'), join(copy, 'data.mdb'));
    // The copy names this process as its holder, which has the original and not the copy.
    expect(await checkStore({ path: copy })).toMatchObject({ findings: [], keys: 99, compacted: 400n });
    await (await openLmdbEngine({ path: copy })).close();
    await engine.close();
    expect(await checkStore({ path: folder })).toMatchObject({ findings: [], keys: 99, compacted: 400n });
  });

  it('is refused with IN_USE while a process has the store, and with UNAVAILABLE or INCOMPATIBLE where there is none', async () => {
    expect(await storageError(checkStore({ path: folder }))).toMatchObject({ code: 'IN_USE' });
    expect(await storageError(checkStore({ path: join(folder, 'none') }))).toMatchObject({ code: 'UNAVAILABLE' });
    const root = open({ path: join(folder, 'foreign', 'data.mdb'), noSubdir: true, overlappingSync: false });
    await root.openDB({ name: 'facts', encoding: 'json' }).put('a', 1);
    await root.close();
    expect(await storageError(checkStore({ path: join(folder, 'foreign') }))).toMatchObject({ code: 'INCOMPATIBLE' });
  });

  it('reports each value that is refused', async () => {
    await engine.close();
    const report = await checkStore({
      path: folder,
      checkValue: (key, value) => (key === '/registry/pods/9' && value[0] === 0x34 ? 'is four' : undefined),
    });
    expect(report.findings).toEqual(['the value of /registry/pods/9 at revision 411 is four']);
  });

  it('reports records that are missing, damaged or do not fit together', async () => {
    const found = await findings((tables) => {
      tables.versions.remove(encodeVersionKey('/registry/pods/5', 407, false));
      tables.log.put(encodeRevision(10), Buffer.alloc(3));
      tables.log.put(Buffer.from('x'), Buffer.alloc(3));
      tables.versions.put(Buffer.from('short'), Buffer.alloc(3));
      tables.expiry.put(Buffer.from('bad'), Buffer.alloc(3));
    });
    expect(found).toContain('revision 407 of /registry/pods/5 has no version');
    expect(found).toContain('the log record of revision 10 cannot be decoded');
    expect(found).toContain('a key of the log cannot be decoded: 78');
    expect(found).toContain('a key of the versions cannot be decoded: 73686f7274');
    expect(found).toContain('an expiry row cannot be decoded: 626164');
  });

  it('reports damaged pages, and reads what is left', async () => {
    await engine.close();
    const file = join(folder, 'data.mdb');
    const bytes = readFileSync(file);
    // The page in the middle that has the text of a value.
    const page = Math.floor(bytes.indexOf('/registry/pods/50') / 4096);
    bytes.fill(0, page * 4096, (page + 1) * 4096);
    writeFileSync(file, bytes);
    const { findings: found, keys } = await checkStore({ path: folder });
    expect(found.length).toBeGreaterThan(0);
    expect(keys).toBeGreaterThan(50);
    writeFileSync(file, bytes.subarray(0, 4096));
    expect((await checkStore({ path: folder })).findings).toMatchObject([expect.stringMatching(/meta page 1/)]);
  });
});
