import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heads } from './heads.ts';
import { openLmdbEngine } from './lmdb-engine.ts';
import { encodeLogRecord, encodeRevision } from './log-record.ts';
import { openTables, type Tables, writeAll } from './tables.ts';
import { encodeVersionKey } from './version-key.ts';

let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-verify-'));
  const engine = await openLmdbEngine({ path: folder });
  const value = Buffer.from('v');
  // Revisions 2 to 6: a is created, changed and deleted, b is created and changed.
  await engine.commit({ type: 'put', key: 'a', value });
  await engine.commit({ type: 'put', key: 'b', value });
  await engine.commit({ type: 'put', key: 'a', value });
  await engine.commit({ type: 'put', key: 'b', value });
  await engine.commit({ type: 'delete', key: 'a' });
  await engine.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What `verify` finds after `harm` has been done to the tables behind the engine's back. */
async function findings(harm: (tables: Tables) => void): Promise<readonly string[]> {
  const tables = openTables(folder);
  await writeAll(tables, [() => harm(tables)]);
  await tables.root.close();
  const engine = await openLmdbEngine({ path: folder });
  const found = await engine.verify();
  await engine.close();
  return found;
}

describe('verify', () => {
  it('finds nothing in a sound store, also in one that is half compacted', async () => {
    expect(await findings(() => undefined)).toEqual([]);
    const engine = await openLmdbEngine({ path: folder });
    await engine.compact(4n);
    expect(await engine.verify()).toEqual([]);
    await engine.close();
  });

  it('finds a version that is missing', async () => {
    expect(await findings((tables) => tables.versions.remove(encodeVersionKey('b', 5, false)))).toContain(
      'revision 5 of b has no version',
    );
    expect(await findings((tables) => tables.versions.remove(encodeVersionKey('a', 2, false)))).toContain(
      'the version of a that 4 replaced is missing',
    );
  });

  it('finds a gap in the log', async () => {
    const found = await findings((tables) => tables.log.remove(encodeRevision(4)));
    expect(found).toContain('the log jumps from 3 to 5');
  });

  it('finds a record that belongs to another key', async () => {
    const record = encodeLogRecord({ key: 'c', deleted: false, time: 0, previous: 0, total: 0 });
    const found = await findings((tables) => tables.log.put(encodeRevision(3), record));
    expect(found).toContain('revision 3 is c in the log and b in the versions');
  });

  it('fails when it cannot read on: that is no fault of the store', async () => {
    const engine = await openLmdbEngine({ path: folder });
    const size = vi.spyOn(Heads.prototype, 'size', 'get').mockImplementation(() => {
      throw new Error('out of memory');
    });
    await expect(engine.verify()).rejects.toThrow('out of memory');
    size.mockRestore();
    await engine.close();
  });

  it('finds nothing where everything was compacted and swept, also what was deleted and made again', async () => {
    const engine = await openLmdbEngine({ path: folder });
    const value = Buffer.from('v');
    await engine.commit({ type: 'put', key: 'a', value });
    await engine.commit({ type: 'delete', key: 'a' });
    const { revision } = await engine.commit({ type: 'put', key: 'b', value });
    await engine.compact(revision);
    await vi.waitFor(() => expect(engine.stats().swept).toBe(revision), { timeout: 20_000 });
    expect(await engine.verify()).toEqual([]);
    await engine.close();
    const tables = openTables(folder);
    // Of b its newest version, of a nothing at all.
    expect([...tables.versions.keys(Buffer.from([1]))].map(({ key }) => key)).toEqual(['b']);
    await tables.root.close();
  });

  it('finds keys that the engine knows otherwise than they are stored', async () => {
    const engine = await openLmdbEngine({ path: folder });
    const entries = vi.spyOn(Heads.prototype, Symbol.iterator).mockImplementation(function* heads(): Generator<
      readonly [string, number],
      undefined
    > {
      yield ['b', 4];
      yield ['c', 5];
      return undefined;
    });
    expect(await engine.verify()).toEqual([
      'b stands at 4, its newest version is 5',
      'c stands at 5, its newest version is undefined',
    ]);
    entries.mockRestore();
    const size = vi.spyOn(Heads.prototype, 'size', 'get').mockReturnValue(7);
    expect(await engine.verify()).toEqual(['7 keys are known, 1 are stored']);
    size.mockRestore();
    await engine.close();
  });

  it('finds a deletion that nothing explains', async () => {
    const found = await findings((tables) => tables.versions.put(encodeVersionKey('x', 99, true), Buffer.alloc(0)));
    expect(found).toContain('the deletion of x at 99 is not in the log');
  });
});

it('a log of more records than are read in one turn is read to its end, each record once', async () => {
  const engine = await openLmdbEngine({ path: folder });
  const value = Buffer.from('v');
  // More than twice the 2000 of a turn.
  await Promise.all(Array.from({ length: 4100 }, (_, i) => engine.commit({ type: 'put', key: `k${i % 50}`, value })));
  expect(await engine.verify()).toEqual([]);
  await engine.close();
  const found = await findings((tables) => {
    tables.log.remove(encodeRevision(4050));
    // Around the end of a turn: none of them is read twice.
    for (let revision = 1995; revision < 2010; revision += 1)
      tables.log.put(encodeRevision(revision), Buffer.from('x'));
  });
  expect(found).toContain('the log jumps from 4049 to 4051');
  const broken = found.filter((line) => line.endsWith('cannot be decoded'));
  expect(broken).toHaveLength(15);
  expect(new Set(broken).size).toBe(15);
});
