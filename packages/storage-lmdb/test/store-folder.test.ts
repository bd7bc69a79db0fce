import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, storageError } from '@listwatch/conformance/storage';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLmdbEngine } from '../src/index.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const value = Buffer.alloc(1000, 'v');

describe('reopening', () => {
  it('a store that is opened again has its keys, its past, its revision and its TTLs', async () => {
    const first = await openLmdbEngine({ path: folder });
    const one = await first.commit({ type: 'put', key: 'a', value: Buffer.from('1') });
    const two = await first.commit({ type: 'put', key: 'a', value: Buffer.from('2') });
    await first.commit({ type: 'put', key: 'mortal', value, ttlSeconds: 1 });
    const revision = await first.revision();
    await first.close();

    const second = await openLmdbEngine({ path: folder });
    expect(await second.revision()).toBe(revision);
    expect((await second.get('a', { at: one.revision })).entry?.value).toEqual(Buffer.from('1'));
    expect((await second.get('a')).entry?.modRevision).toBe(two.revision);
    await eventually('the TTL to end', async () => (await second.get('mortal')).entry === undefined);
    expect(await second.verify()).toEqual([]);
    await second.close();
  });

  it('a revision is never used again, also when everything was compacted before the store was closed', async () => {
    const first = await openLmdbEngine({ path: folder });
    await first.commit({ type: 'put', key: 'a', value });
    const { revision } = await first.commit({ type: 'delete', key: 'a' });
    await first.compact(revision);
    await first.close();
    const second = await openLmdbEngine({ path: folder });
    expect(await second.revision()).toBe(revision);
    expect(await storageError(second.get('a', { at: revision - 1n }))).toMatchObject({ code: 'COMPACTED', revision });
    expect(await second.commit({ type: 'put', key: 'a', value })).toEqual({ committed: true, revision: revision + 1n });
    await second.close();
  });
});

describe('one process at a time', () => {
  it('a second opening in the same process is refused with IN_USE', async () => {
    const engine = await openLmdbEngine({ path: folder });
    const error = await storageError(openLmdbEngine({ path: folder }));
    expect(error).toMatchObject({ code: 'IN_USE' });
    expect(error.message).toContain(`this process (${process.pid})`);
    await engine.commit({ type: 'put', key: 'a', value });
    await engine.close();
    await (await openLmdbEngine({ path: folder })).close();
  });

  it('another process is refused with IN_USE while the holder lives, named with its pid; a dead holder is replaced', async () => {
    const writer = fileURLToPath(new URL('crash-writer.ts', import.meta.url));
    const args = ['--conditions=@listwatch/source', '--import', 'tsx', writer, folder, '1', '0'];
    const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(holder.stdout, 'data');
      const error = await storageError(openLmdbEngine({ path: folder }));
      expect(error).toMatchObject({ code: 'IN_USE' });
      expect(error.message).toContain(`process ${holder.pid}`);
      expect(error.message).toContain(folder);
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'close');
    }
    const engine = await openLmdbEngine({ path: folder });
    expect(await engine.verify()).toEqual([]);
    await engine.close();
  });
});

describe('files that are not ours', () => {
  it('a store of a newer format is refused with INCOMPATIBLE and is left as it was', async () => {
    await (await openLmdbEngine({ path: folder })).close();
    const root = open({ path: join(folder, 'data.mdb'), noSubdir: true, overlappingSync: false, mapSize: 2 ** 40 });
    const facts = root.openDB<unknown, string>({ name: 'facts', encoding: 'json' });
    await facts.put('format', { product: 'listwatch', version: 2 });
    const error = await storageError(openLmdbEngine({ path: folder }));
    expect(error).toMatchObject({ code: 'INCOMPATIBLE' });
    expect(error.message).toMatch(/format 2, written by a newer listwatch; this version reads formats up to 1/);
    await root.close();
  });

  it('an LMDB file of somebody else is refused with INCOMPATIBLE', async () => {
    const root = open({ path: join(folder, 'data.mdb'), noSubdir: true, overlappingSync: false });
    await root
      .openDB({ name: 'log', encoding: 'binary', keyEncoding: 'binary' })
      .put(Buffer.alloc(8, 1), Buffer.alloc(30));
    await root.close();
    expect(await storageError(openLmdbEngine({ path: folder }))).toMatchObject({ code: 'INCOMPATIBLE' });
  });

  it('a file that is no LMDB file is refused with CORRUPT', async () => {
    writeFileSync(join(folder, 'data.mdb'), Buffer.alloc(16_384, 'not a database'));
    expect(await storageError(openLmdbEngine({ path: folder }))).toMatchObject({ code: 'CORRUPT' });
  });

  it('a path that is a file is refused with UNAVAILABLE and a sentence that names it', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const error = await storageError(openLmdbEngine({ path: file }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE' });
    expect(error.message).toContain(file);
    await expect(openLmdbEngine({ path: '' })).rejects.toThrow(TypeError);
  });
});

describe('space', () => {
  it('the space of compacted changes is used again: ten times the history does not make the file ten times larger', async () => {
    const engine = await openLmdbEngine({ path: folder });
    const size = (): number => statSync(join(folder, 'data.mdb')).size;
    const round = async (): Promise<void> => {
      const commits = Array.from({ length: 2000 }, (_, i) => engine.commit({ type: 'put', key: `k${i % 100}`, value }));
      await Promise.all(commits);
      await engine.compact(await engine.revision());
      await eventually('the space to be given back', () => engine.stats().swept === engine.stats().compacted);
    };
    await round();
    await round();
    const early = size();
    for (let i = 0; i < 8; i += 1) await round();
    expect(size()).toBeLessThan(early * 1.5);
    await engine.close();
  });
});

describe('a full disk', () => {
  it('commits fail with DISK_FULL, reads go on, and when there is room again commits do too', async (context) => {
    // A small file system of its own needs the right to mount one; the tests of CI run as root and have it.
    const args = ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder];
    if (spawnSync('mount', args).status !== 0) {
      if (process.env['CI'] === 'true') throw new Error('cannot mount a tmpfs, which this test needs under CI');
      context.skip('needs the right to mount a tmpfs');
    }
    try {
      const store = join(folder, 'store');
      const ballast = join(folder, 'ballast');
      mkdirSync(store);
      writeFileSync(ballast, Buffer.alloc(4 * 2 ** 20));
      const engine = await openLmdbEngine({ path: store });
      const acknowledged: bigint[] = [];
      const fill = async (i: number): Promise<void> => {
        const result = await engine.commit({ type: 'put', key: `k${i}`, value: Buffer.alloc(100_000, `${i}`) });
        acknowledged.push(result.revision);
      };
      const failure = await storageError(
        (async () => {
          for (let i = 0; i < 1000; i += 1) await fill(i);
        })(),
      );
      expect(failure).toMatchObject({ code: 'DISK_FULL', uncertain: false });
      expect(failure.message).toMatch(/the disk is full/);
      expect(acknowledged.length).toBeGreaterThan(5);

      // Reads go on, and the store has exactly what was acknowledged.
      const { entries } = await engine.range('k');
      expect(entries).toHaveLength(acknowledged.length);
      expect(await engine.revision()).toBe(acknowledged.at(-1));
      expect(await storageError(fill(1000))).toMatchObject({ code: 'DISK_FULL' });

      rmSync(ballast);
      await fill(1001);
      expect(acknowledged.at(-1)).toBe((acknowledged.at(-2) ?? 0n) + 1n);
      expect(await engine.verify()).toEqual([]);
      await engine.close();
      const again = await openLmdbEngine({ path: store });
      expect((await again.range('k')).entries).toHaveLength(acknowledged.length);
      await again.close();
    } finally {
      spawnSync('umount', ['-l', folder]);
    }
  });
});
