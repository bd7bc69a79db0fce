import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  exitStatus,
  finish,
  type PeerConnection,
  runCommand,
  type StreamPeerOptions,
  startStreamPeer,
} from '@listwatch/conformance/kubelet';
import { afterEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../cluster.ts';
import { connect } from '../connect.ts';
import { copyFrom } from './copy-from.ts';
import { copyTo } from './copy-to.ts';
import { safeParts } from './tar/safe-path.ts';
import { BLOCK_BYTES, padded, readTarHeader, type TarHeader, tarHeaderBlocks } from './tar/tar-header.ts';
import { readTar } from './tar/tar-reader.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(
  onConnection: StreamPeerOptions['onConnection'] = runCommand,
  protocols?: readonly string[],
): Promise<Cluster> {
  const peer = await startStreamPeer({ onConnection, protocols });
  const cluster = await connect({ server: peer.url });
  cleanups.push(
    () => peer.close(),
    () => cluster.close(),
  );
  return cluster;
}

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'listwatch-copy-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  return folder;
}

const pod = { name: 'web' };
const END = new Uint8Array(2 * BLOCK_BYTES);

function entry(header: Partial<TarHeader> & { readonly path: string }, content = ''): Buffer {
  const bytes = Buffer.from(content);
  const full = { type: 'file', mode: 0o644, mtime: 0, linkPath: '', size: bytes.length, ...header } as const;
  return Buffer.concat([tarHeaderBlocks(full), bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);
}

/** A pod that answers every command with these bytes and a code. */
function answering(bytes: Uint8Array, code = 0): (connection: PeerConnection) => Promise<void> {
  return async (connection) => {
    for (let at = 0; at < bytes.length; at += 10_000) await connection.send(1, bytes.subarray(at, at + 10_000));
    if (code !== 0) await connection.send(2, 'tar: no such file\n');
    await finish(connection, code === 0 ? undefined : exitStatus(code));
  };
}

const LONG = `${'d'.repeat(120)}/${'f'.repeat(120)}`;

describe('copies with the tar of this machine', () => {
  it.each([['v5.channel.k8s.io'], ['v4.channel.k8s.io']])(
    'a directory goes there and back over %s',
    async (protocol) => {
      const cluster = await start(runCommand, [protocol]);
      const folder = await scratch();
      await mkdir(join(folder, 'local', 'd'.repeat(120)), { recursive: true });
      await mkdir(join(folder, 'local', 'empty'));
      const large = Buffer.alloc(1_000_001, 'ab');
      await writeFile(join(folder, 'local', 'large'), large);
      await writeFile(join(folder, 'local', 'run.sh'), 'echo', { mode: 0o755 });
      await writeFile(join(folder, 'local', LONG), 'long');
      await symlink('run.sh', join(folder, 'local', 'link'));
      const sent = await copyTo(cluster, pod, { from: join(folder, 'local'), to: join(folder, 'remote') });
      expect(sent.bytes).toBe(large.length + 8);
      expect(await readFile(join(folder, 'remote', LONG), 'utf8')).toBe('long');
      const skipped: string[] = [];
      const got = await copyFrom(cluster, pod, {
        from: join(folder, 'remote'),
        to: join(folder, 'back'),
        onSkipped: (path, type) => skipped.push(`${type} ${path}`),
      });
      expect(got.bytes).toBe(sent.bytes);
      expect((await readdir(join(folder, 'back'))).toSorted()).toEqual(['d'.repeat(120), 'empty', 'large', 'run.sh']);
      expect((await readFile(join(folder, 'back', 'large'))).equals(large)).toBe(true);
      expect((await stat(join(folder, 'back', 'run.sh'))).mode & 0o777).toBe(0o755);
      expect(skipped).toEqual(['symlink ./remote/link']);
    },
  );

  it('a single file gets the name that it is given', async () => {
    const cluster = await start();
    const folder = await scratch();
    await writeFile(join(folder, '-a b'), 'content');
    expect(await copyTo(cluster, pod, { from: join(folder, '-a b'), to: join(folder, '-c') })).toEqual({
      files: 1,
      bytes: 7,
    });
    expect(await copyFrom(cluster, pod, { from: join(folder, '-c'), to: join(folder, 'x', 'd') })).toEqual({
      files: 1,
      bytes: 7,
    });
    expect(await readFile(join(folder, 'x', 'd'), 'utf8')).toBe('content');
  });

  it('what tar complains of is COPY_FAILED with its words', async () => {
    const cluster = await start();
    const folder = await scratch();
    await expect(copyFrom(cluster, pod, { from: join(folder, 'none'), to: join(folder, 'x') })).rejects.toMatchObject({
      code: 'COPY_FAILED',
      message: expect.stringContaining('none'),
    });
    await writeFile(join(folder, 'a'), 'content');
    await expect(copyTo(cluster, pod, { from: join(folder, 'a'), to: join(folder, 'no', 'b') })).rejects.toMatchObject({
      code: 'COPY_FAILED',
    });
    await expect(copyTo(cluster, pod, { from: join(folder, 'none'), to: '/b' })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it.each(['/', '.', '..', 'a/..'])('%j names no file', async (path) => {
    const cluster = await start();
    await expect(copyFrom(cluster, pod, { from: path, to: 'x' })).rejects.toThrow(TypeError);
    await expect(copyTo(cluster, pod, { from: 'x', to: path })).rejects.toThrow(TypeError);
  });
});

describe('an archive that attacks', () => {
  it.each([
    ['a way up', [entry({ path: 'a/../../evil' }, 'x')]],
    ['an absolute path', [entry({ path: '/etc/evil' }, 'x')]],
    ['another name than was asked for', [entry({ path: 'b/evil' }, 'x')]],
    ['a way up in a pax header', [entry({ path: `a/../${'e'.repeat(120)}` }, 'x')]],
    ['a name with a zero', [entry({ path: `a/${'e'.repeat(120)}\0b` }, 'x')]],
    ['nothing but a way up', [entry({ path: '..', type: 'directory' })]],
  ])('%s is UNSAFE_PATH, and nothing is written', async (_, entries) => {
    const folder = await scratch();
    const cluster = await start(answering(Buffer.concat([...entries, END])));
    const copy = copyFrom(cluster, pod, { from: '/a', to: join(folder, 'in', 'a') });
    await expect(copy).rejects.toMatchObject({ code: 'UNSAFE_PATH' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('a link and a file behind it write nothing elsewhere: the link is skipped', async () => {
    const folder = await scratch();
    const entries = [
      entry({ path: 'a/', type: 'directory' }),
      entry({ path: 'a/link', type: 'symlink', linkPath: join(folder, 'outside') }),
      entry({ path: 'a/link/evil' }, 'x'),
    ];
    await mkdir(join(folder, 'outside'));
    const cluster = await start(answering(Buffer.concat([...entries, END])));
    await copyFrom(cluster, pod, { from: '/a', to: join(folder, 'a') });
    expect(await readdir(join(folder, 'outside'))).toEqual([]);
    expect((await stat(join(folder, 'a', 'link'))).isDirectory()).toBe(true);
  });

  it('links that lie in the directory already are not followed', async () => {
    const folder = await scratch();
    await mkdir(join(folder, 'a'));
    await mkdir(join(folder, 'outside'));
    await writeFile(join(folder, 'outside', 'file'), 'mine');
    await symlink(join(folder, 'outside'), join(folder, 'a', 'dir'));
    await symlink(join(folder, 'outside', 'file'), join(folder, 'a', 'file'));
    for (const path of ['a/dir/evil', 'a/file']) {
      const cluster = await start(answering(Buffer.concat([entry({ path }, 'x'), END])));
      await expect(copyFrom(cluster, pod, { from: '/a', to: join(folder, 'a') })).rejects.toMatchObject({
        code: 'UNSAFE_PATH',
      });
    }
    expect(await readdir(join(folder, 'outside'))).toEqual(['file']);
    expect(await readFile(join(folder, 'outside', 'file'), 'utf8')).toBe('mine');
  });

  it('more bytes or files than the limits are TOO_LARGE', async () => {
    const folder = await scratch();
    const large = await start(answering(Buffer.concat([entry({ path: 'a' }, 'x'.repeat(5000)), END])));
    const to = join(folder, 'a');
    await expect(copyFrom(large, pod, { from: '/a', to, maxBytes: 4000 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const many = await start(
      answering(Buffer.concat([...Array.from({ length: 20 }, (_, index) => entry({ path: `b/${index}` })), END])),
    );
    const folders = { from: '/b', to: join(folder, 'b') };
    await expect(copyFrom(many, pod, { ...folders, maxFiles: 10 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it.each([
    ['garbage', Buffer.alloc(2048, 'x')],
    ['half of a header', entry({ path: 'a' }, 'content').subarray(0, 100)],
    ['half of a file', entry({ path: 'a' }, 'content'.repeat(1000)).subarray(0, 2000)],
    ['no end', entry({ path: 'a' }, 'content')],
    ['nothing', Buffer.alloc(0)],
  ])('%s is BAD_ARCHIVE', async (_, bytes) => {
    const folder = await scratch();
    const cluster = await start(answering(bytes));
    const copy = copyFrom(cluster, pod, { from: '/a', to: join(folder, 'a') });
    await expect(copy).rejects.toMatchObject({ code: 'BAD_ARCHIVE' });
  });

  it('a tar that fails after a whole archive has failed', async () => {
    const folder = await scratch();
    const cluster = await start(answering(Buffer.concat([entry({ path: 'a' }, 'content'), END]), 2));
    await expect(copyFrom(cluster, pod, { from: '/a', to: join(folder, 'a') })).rejects.toMatchObject({
      code: 'COPY_FAILED',
      message: 'tar in the container ended with 2: tar: no such file',
    });
  });
});

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array): Promise<void> {
  for await (const one of readTar(pieces(bytes, 1000))) void one;
}

describe('the format', () => {
  it.each([1, 7, 512, 100_000])('reads what it writes in pieces of %d bytes', async (size) => {
    const archive = Buffer.concat([
      entry({ path: 'a', mode: 0o640, mtime: 12 }, 'x'.repeat(700)),
      entry({ path: LONG }, ''),
      entry({ path: 'link', type: 'symlink', linkPath: LONG }),
      END,
    ]);
    const seen: unknown[] = [];
    for await (const { content, ...header } of readTar(pieces(archive, size))) {
      let length = 0;
      for await (const chunk of content) length += chunk.length;
      seen.push([header.path, header.type, header.size, length, header.linkPath]);
    }
    expect(seen).toEqual([
      ['a', 'file', 700, 700, ''],
      [LONG, 'file', 0, 0, ''],
      ['link', 'symlink', 0, 0, LONG],
    ]);
  });

  it('headers for headers have an end, and so have names', async () => {
    const pax = entry({ path: 'x'.repeat(200) }).subarray(0, 2 * BLOCK_BYTES);
    const endless = Buffer.concat(Array.from({ length: 20 }, () => pax));
    await expect(read(endless)).rejects.toMatchObject({ code: 'BAD_ARCHIVE' });
    await expect(read(entry({ path: 'x'.repeat(70_000) }))).rejects.toMatchObject({ code: 'BAD_ARCHIVE' });
  });

  it('a wrong sum, a number that is none and an endless size are BAD_ARCHIVE', () => {
    const block = entry({ path: 'a' });
    const wrong = Buffer.from(block);
    wrong[0] = 98;
    expect(() => readTarHeader(wrong.subarray(0, BLOCK_BYTES))).toThrow('wrong checksum');
    expect(readTarHeader(new Uint8Array(BLOCK_BYTES))).toBeUndefined();
  });

  it.each([
    ['a/b', ['a', 'b']],
    ['./a//b/.', ['a', 'b']],
    ['a/12:30', ['a', '12:30']],
  ])('the path %j has the parts %j', (path, parts) => {
    expect(safeParts(path, 'others')).toEqual(parts);
  });

  it.each(['a\\..\\b', 'c:evil'])('%j is no safe path on Windows', (path) => {
    expect(() => safeParts(path, 'windows')).toThrow('names');
  });
});
