import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFlags } from '@listwatch/conformance/parts';
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

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

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
    const args = [...packageFlags(), '--import', 'tsx', writer, folder, '1', '0'];
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

describe('what a store leaves in its folder', () => {
  const files = ['data.mdb', 'data.mdb-lock', 'generation', 'holder'];

  it('new folders and files are for their owner alone, whatever the umask is', async () => {
    const umask = process.umask(0);
    try {
      const path = join(folder, 'deep', 'store');
      const engine = await openLmdbEngine({ path, onPermissionsRepaired: (paths) => expect(paths).toEqual([]) });
      expect(mode(path)).toBe('700');
      for (const file of files) expect(mode(join(path, file)), file).toBe('600');
      expect(readdirSync(path).toSorted()).toEqual(files);
      await engine.close();
    } finally {
      process.umask(umask);
    }
  });

  it('a folder and files that others can read are narrowed by an opening, which says so', async () => {
    await (await openLmdbEngine({ path: folder })).close();
    chmodSync(folder, 0o755);
    for (const file of files) chmodSync(join(folder, file), 0o644);
    const repaired: string[] = [];
    const reopen = () => openLmdbEngine({ path: folder, onPermissionsRepaired: (paths) => repaired.push(...paths) });
    await (await reopen()).close();
    expect(mode(folder)).toBe('700');
    for (const file of files) expect(mode(join(folder, file)), file).toBe('600');
    expect(repaired.toSorted()).toEqual([folder, ...files.map((file) => join(folder, file))]);
    await (await reopen()).close();
    expect(repaired).toHaveLength(5);
  });

  it('the permissions of what a link leads to are not narrowed: the opening is refused with the command that helps', async () => {
    await (await openLmdbEngine({ path: folder })).close();
    const [file, elsewhere] = [join(folder, 'holder'), join(folder, 'elsewhere')];
    renameSync(file, elsewhere);
    chmodSync(elsewhere, 0o644);
    symlinkSync(elsewhere, file);
    await expect(openLmdbEngine({ path: folder })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(
        `others can read ${file} (mode 644), and its mode cannot be changed; run: chmod 600`,
      ),
    });
    expect(mode(elsewhere)).toBe('644');
  });

  it('a holder file that cannot be made is refused with UNAVAILABLE, and the store is let go', async () => {
    await (await openLmdbEngine({ path: folder })).close();
    const file = join(folder, 'holder');
    rmSync(file);
    symlinkSync(join(folder, 'nowhere', 'holder'), file);
    await expect(openLmdbEngine({ path: folder })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    rmSync(file);
    await (await openLmdbEngine({ path: folder })).close();
  });

  it('permissions that cannot be narrowed are refused with UNAVAILABLE and the command that helps', (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root, to be somebody else');
    chmodSync(folder, 0o777);
    const index = fileURLToPath(new URL('../src/index.ts', import.meta.url));
    const code = `import(${JSON.stringify(index)})
      .then(({ openLmdbEngine }) => openLmdbEngine({ path: ${JSON.stringify(folder)} }))
      .catch((error) => console.log(error.code, error.message))`;
    const args = ['--conditions=@listwatch/source', '--import', 'tsx', '--input-type=module', '-e', code];
    const child = spawnSync(process.execPath, args, {
      uid: 65_534,
      gid: 65_534,
      encoding: 'utf8',
      env: { HOME: folder },
    });
    if (/EACCES|ERR_MODULE_NOT_FOUND/.test(child.stderr)) context.skip('the sources are not readable by others');
    expect(child.stdout).toContain(`UNAVAILABLE others can read ${folder} (mode 777)`);
    expect(child.stdout).toContain(`chmod 700 ${folder}`);
  });

  it('the leftovers of a start that was killed are removed', async () => {
    await (await openLmdbEngine({ path: folder })).close();
    for (const name of ['data.mdb', 'data.mdb-lock', 'generation']) {
      const leftover = join(folder, `${name}.0123456789ab.tmp`);
      writeFileSync(leftover, '');
      utimesSync(leftover, 0, 0);
    }
    await (await openLmdbEngine({ path: folder })).close();
    expect(readdirSync(folder).toSorted()).toEqual(files);
  });

  it('several processes that make one store at the same time get the same one, and one of them holds it', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => openLmdbEngine({ path: folder })));
    const opened = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(opened).toHaveLength(1);
    expect(refused).toMatchObject([{ code: 'IN_USE' }, { code: 'IN_USE' }, { code: 'IN_USE' }]);
    await opened[0]?.commit({ type: 'put', key: 'a', value });
    await opened[0]?.close();
    expect(readdirSync(folder).toSorted()).toEqual(files);
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
