import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createApiServer } from '@listwatch/server';
import { describe, expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { prepareDataFolder } from './data-folder.ts';
import { distrustOf, foreignFolderOf } from './file-trust.ts';
import { serve } from './serve.ts';

const newFolder = temporaryFolders();

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}

/** Every file and folder below `folder`. */
function below(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

/** A user that is neither this one nor root. */
const STRANGER = 12_345;

function dataWith(file: string): { readonly data: string; readonly path: string } {
  const data = newFolder();
  mkdirSync(join(data, 'pki'), { mode: 0o700 });
  writeFileSync(join(data, 'pki', file), 'key', { mode: 0o600 });
  return { data, path: join(data, 'pki', file) };
}

describe('a key in the data folder', () => {
  it.each([0o620, 0o602, 0o666])('that others could write (mode %i) is refused, and not repaired', (open) => {
    const { data, path } = dataWith('ca.key');
    chmodSync(path, open);
    const facts = `${path} belongs to user ${process.getuid?.()} and has mode ${open.toString(8).padStart(4, '0')}`;
    expect(() => prepareDataFolder(data)).toThrow(`${facts}: others can write to it; move ${path} away`);
    expect(mode(path)).toBe(open);
  });

  it('in a folder that others could write to is refused', () => {
    const { data, path } = dataWith('ca.key');
    chmodSync(join(path, '..'), 0o770);
    expect(() => prepareDataFolder(data)).toThrow(`${join(data, 'pki')} belongs to`);
  });

  it.skipIf(process.getuid?.() !== 0)('that belongs to another user is refused, with the owner and what to do', () => {
    const { data, path } = dataWith('sa.key');
    chownSync(path, STRANGER, STRANGER);
    expect(() => prepareDataFolder(data)).toThrow(
      `${path} belongs to user ${STRANGER} and has mode 0600, and this is user 0; move ${path} away, or, if you know that it is yours, run: chown 0 ${path}`,
    );
  });

  it.skipIf(process.getuid?.() !== 0)('that is a link of another user is refused, wherever it leads', () => {
    const { data, path } = dataWith('other.key');
    const link = join(data, 'pki', 'ca.key');
    symlinkSync(path, link);
    lchownSync(link, STRANGER, STRANGER);
    expect(() => prepareDataFolder(data)).toThrow(`${link} belongs to user ${STRANGER}`);
  });

  it('and a kubeconfig that are links leave the permissions of what they lead to alone', () => {
    const { data } = dataWith('ca.crt');
    const outside = join(newFolder(), 'outside');
    writeFileSync(outside, 'text', { mode: 0o644 });
    symlinkSync(outside, join(data, 'pki', 'link.crt'));
    symlinkSync(outside, join(data, 'kubeconfig'));
    expect(prepareDataFolder(data)).toEqual([]);
    expect(mode(outside)).toBe(0o644);
  });

  it('with mode 0666 keeps a server from starting, and nothing is signed', async () => {
    const { data, path } = dataWith('ca.key');
    chmodSync(path, 0o666);
    const started = serve({ data, port: '0' }, fakeHost({ folder: data }), createApiServer);
    await expect(started).rejects.toThrow(`a key that others may have made is not used: ${path}`);
    expect(readdirSync(join(data, 'pki'))).toEqual(['ca.key']);
  });
});

describe('the data folder', () => {
  it.skipIf(process.getuid?.() !== 0)('of another user is refused by root before a key is made in it', async () => {
    const data = newFolder();
    chownSync(data, STRANGER, STRANGER);
    const started = serve({ data, port: '0' }, fakeHost({ folder: data }), createApiServer);
    await expect(started).rejects.toThrow(
      `root keeps no keys in the folder of another user: ${data} belongs to user ${STRANGER} and has mode 0700, and this is user 0; move`,
    );
    expect(readdirSync(data)).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)('that is a link of another user is refused by root, wherever it leads', () => {
    const link = join(newFolder(), 'link');
    symlinkSync(newFolder(), link);
    lchownSync(link, STRANGER, STRANGER);
    expect(() => prepareDataFolder(link)).toThrow(`${link} belongs to user ${STRANGER}`);
  });

  it('of somebody else is taken by users who are not root: a volume may belong to anybody', () => {
    const data = newFolder();
    expect(foreignFolderOf(data, STRANGER)).toBeUndefined();
    expect(distrustOf(data, STRANGER)).toEqual(process.getuid?.() === 0 ? undefined : expect.stringContaining(data));
  });

  it('that exists and can be read by all is narrowed, with all that is ours in it', () => {
    const data = newFolder();
    mkdirSync(join(data, 'pki'));
    for (const file of ['kubeconfig', 'pki/ca.key', 'pki/ca.crt']) writeFileSync(join(data, file), '', { mode: 0o644 });
    chmodSync(data, 0o755);
    chmodSync(join(data, 'pki'), 0o755);
    for (const path of below(join(data, 'pki'))) chmodSync(path, 0o644);
    chmodSync(join(data, 'kubeconfig'), 0o664);
    expect(prepareDataFolder(data)).toEqual([
      data,
      ...['kubeconfig', 'pki', 'pki/ca.crt', 'pki/ca.key'].map((name) => join(data, name)),
    ]);
    expect(mode(data)).toBe(0o700);
    expect(below(data).map((path) => mode(path) & 0o077)).toEqual([0, 0, 0, 0]);
    expect(prepareDataFolder(data)).toEqual([]);
  });

  it('with other things in it stays open: only what is ours is narrowed', () => {
    const data = newFolder();
    writeFileSync(join(data, 'notes.txt'), '', { mode: 0o644 });
    writeFileSync(join(data, 'kubeconfig'), '', { mode: 0o644 });
    chmodSync(data, 0o755);
    expect(prepareDataFolder(data)).toEqual([join(data, 'kubeconfig')]);
    expect([mode(data), mode(join(data, 'notes.txt'))]).toEqual([0o755, 0o644]);
  });

  it('of a server that has started in one with mode 0755 can be read by its owner alone, and the log says so once', async () => {
    const data = newFolder();
    chmodSync(data, 0o755);
    const start = async (): Promise<string> => {
      const host = fakeHost({ folder: data });
      const served = serve({ data, port: '0', logFormat: 'json' }, host, createApiServer);
      await host.seen('kubectl');
      host.signal('SIGTERM');
      expect(await served).toBe(0);
      return host.written.stdout;
    };
    expect(await start()).toContain(`"paths":${JSON.stringify([data])}`);
    for (const path of [data, ...below(data)]) expect(mode(path) & 0o077, path).toBe(0);
    for (const path of below(data)) if (statSync(path).isFile()) chmodSync(path, 0o644);
    const log = await start();
    expect(log.split('others could read').length - 1).toBe(1);
    expect(log).toContain(join(data, 'store', 'data.mdb'));
    for (const path of [data, ...below(data)]) expect(mode(path) & 0o077, path).toBe(0);
  });
});
