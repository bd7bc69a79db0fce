import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, storageError, WatchRecorder } from '@listwatch/conformance/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkStore, type LmdbEngine, openLmdbEngine } from '../src/index.ts';

let root = '';
let folder = '';
let backup = '';
let restored: bigint[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'listwatch-restored-'));
  folder = join(root, 'store');
  backup = join(root, 'backup.mdb');
  restored = [];
});
afterEach(() => rmSync(root, { recursive: true }));

function open(path = folder): Promise<LmdbEngine> {
  return openLmdbEngine({ path, onRestored: (revision) => restored.push(revision) });
}

async function write(engine: LmdbEngine, count: number, value: string): Promise<bigint> {
  for (let i = 0; i < count; i += 1) {
    await engine.commit({ type: 'put', key: `k${i % 10}`, value: Buffer.from(value) });
  }
  return engine.revision();
}

/** Writes, takes a backup, and writes on; gives what clients have seen by then. */
async function makeHistory(): Promise<bigint> {
  const first = await open();
  await write(first, 300, 'old');
  await first.close();
  cpSync(join(folder, 'data.mdb'), backup);
  const second = await open();
  const seen = await write(second, 50, 'new');
  await second.close();
  return seen;
}

/** What a client that has seen `seen` must be told by the store as it is now. */
async function expectJump(path: string, seen: bigint): Promise<void> {
  const engine = await open(path);
  const revision = await engine.revision();
  expect(restored).toEqual([revision]);
  expect(revision).toBeGreaterThan(seen + 900_000_000n);
  const gone = { code: 'COMPACTED', revision };
  expect(await storageError(engine.range('', { at: seen }))).toMatchObject(gone);
  expect(await WatchRecorder.open(engine, { prefix: '', after: seen }).failure()).toMatchObject(gone);
  expect((await engine.range('')).count).toBe(10);
  expect(await write(engine, 20, 'newer')).toBe(revision + 20n);
  await eventually('the old history to be swept', () => engine.stats().swept === revision);
  expect(await engine.verify()).toEqual([]);
  await engine.close();
  expect((await checkStore({ path })).findings).toEqual([]);
  const again = await open(path);
  expect(await again.revision()).toBe(revision + 20n);
  expect((await again.range('', { at: revision + 3n })).count).toBe(10);
  await again.close();
  expect(restored).toHaveLength(1);
}

describe('a data file that was put back from a backup jumps ahead, so that clients notice:', () => {
  it('copied over the file, in its place', async () => {
    const seen = await makeHistory();
    cpSync(backup, join(folder, 'data.mdb'));
    await expectJump(folder, seen);
  });

  it('moved to where the file was', async () => {
    const seen = await makeHistory();
    renameSync(backup, join(folder, 'data.mdb'));
    await expectJump(folder, seen);
  });

  it('alone in a new folder', async () => {
    const seen = await makeHistory();
    const anew = join(root, 'anew');
    cpSync(backup, join(anew, 'data.mdb'));
    await expectJump(anew, seen);
  });

  it('with all the files of its folder', async (context) => {
    if (statSync(root).birthtimeMs === 0) context.skip('this file system does not know when a file was made');
    const seen = await makeHistory();
    const anew = join(root, 'anew');
    cpSync(folder, anew, { recursive: true });
    await expectJump(anew, seen);
  });
});

describe('a store that is only opened again does not jump:', () => {
  it('after it was closed, and after its folder was moved', async () => {
    const seen = await makeHistory();
    const moved = join(root, 'moved');
    renameSync(folder, moved);
    const engine = await open(moved);
    expect(await engine.revision()).toBe(seen);
    expect((await engine.range('', { at: 5n })).count).toBe(4);
    await engine.close();
    expect(restored).toEqual([]);
  });

  it('after a start that was killed between its two notes', async () => {
    const seen = await makeHistory();
    const file = join(folder, 'generation');
    const engine = await open();
    await engine.close();
    const { current } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ current: 'of the killed start', previous: current }));
    const again = await open();
    expect(await again.revision()).toBe(seen);
    await again.close();
    expect(restored).toEqual([]);
  });
});
