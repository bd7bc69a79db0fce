/** Copies files into a container. Node only. */

import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { AbortOptions } from '@listwatch/api';
import type { ObjectTarget } from '../cluster.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import type { CopyResult } from './copy-from.ts';
import { exec } from './exec.ts';
import type { StreamCluster } from './open-messages.ts';
import { isStreamError, StreamError } from './stream-error.ts';
import { BLOCK_BYTES, padded, type TarHeader, tarHeaderBlocks } from './tar/tar-header.ts';

/** Options of `copyTo`. */
export interface CopyToOptions extends AbortOptions {
  /** A file or a directory on this machine. */
  readonly from: string;
  /** What it is called in the container; its directory must be there. */
  readonly to: string;
  /** Default: the only one. */
  readonly container?: string | undefined;
}

const COPY_TO_NAMES: OptionNames<CopyToOptions> = { signal: true, from: true, to: true, container: true };

/** `tar` reads twenty blocks at a time. */
const RECORD_BYTES = 20 * BLOCK_BYTES;
const CHUNK_BYTES = 256 * 1024;
const MAX_WORDS_BYTES = 64 * 1024;

/**
 * Copies a file or a directory into a container, which must have `tar`. Links are copied as links. Rejects with `COPY_FAILED` when
 * `tar` fails or a file changes its size meanwhile.
 */
export async function copyTo(
  cluster: StreamCluster,
  target: ObjectTarget,
  options: CopyToOptions,
): Promise<CopyResult> {
  checkOptionNames('copyTo', options, COPY_TO_NAMES);
  const { from, to, container, signal } = options;
  const name = posix.basename(to);
  if (name === '' || name === '.' || name === '..') {
    throw new TypeError(`to must name a file or a directory: ${JSON.stringify(to)}`);
  }
  // A file that is not there must fail before a command runs.
  await lstat(from);
  const command = ['tar', 'xmf', '-', '-C', posix.dirname(to)];
  await using session = await exec(cluster, target, { command, container, stdin: true, signal });
  const words = session.stderr.text({ maxBytes: MAX_WORDS_BYTES });
  words.catch(() => {});
  const archive = new LocalArchive((chunk) => session.stdin.write(chunk));
  const sending = (async () => {
    await archive.add(from, name);
    await archive.end();
    // Without half-close the end of the archive must do: tar stops there.
    await session.stdin.end().catch((error: unknown) => {
      if (!isStreamError(error, 'NO_HALF_CLOSE')) throw error;
    });
  })();
  // A tar that ends early has the better words for it.
  const broken = sending.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const ended = session.wait();
  const first = await Promise.race([broken, ended.then(() => undefined)]);
  if (first !== undefined && isLocal(first.error)) throw first.error;
  const { code } = await ended;
  if (code !== 0) {
    throw new StreamError('COPY_FAILED', `tar in the container ended with ${code}: ${(await words).trim()}`);
  }
  const left = await broken;
  if (left !== undefined) throw left.error;
  return { files: archive.files, bytes: archive.bytes };
}

/** A failure of this machine, that the container does not know of. */
function isLocal(error: unknown): boolean {
  return isStreamError(error, 'COPY_FAILED') || (error instanceof Error && 'errno' in error);
}

/** An archive of files on this machine, written as it is made. */
class LocalArchive {
  files = 0;
  bytes = 0;
  readonly #write: (chunk: Uint8Array) => Promise<void>;
  #written = 0;

  constructor(write: (chunk: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  async add(local: string, path: string): Promise<void> {
    const stat = await lstat(local);
    const common = { path, mode: stat.mode & 0o777, mtime: stat.mtimeMs / 1000, linkPath: '', size: 0 };
    if (stat.isDirectory()) {
      await this.#header({ ...common, path: `${path}/`, type: 'directory' });
      for (const name of (await readdir(local)).toSorted()) await this.add(join(local, name), `${path}/${name}`);
    } else if (stat.isSymbolicLink()) {
      await this.#header({ ...common, type: 'symlink', linkPath: await readlink(local) });
    } else if (stat.isFile()) {
      await this.#header({ ...common, type: 'file', size: stat.size });
      await this.#content(local, stat.size);
    }
  }

  async end(): Promise<void> {
    const length = Math.ceil((this.#written + 2 * BLOCK_BYTES) / RECORD_BYTES) * RECORD_BYTES;
    await this.#put(new Uint8Array(length - this.#written));
  }

  async #header(header: TarHeader): Promise<void> {
    this.files += 1;
    await this.#put(tarHeaderBlocks(header));
  }

  /** Exactly as many bytes as the header says: one more or less would garble all that follows. */
  async #content(local: string, size: number): Promise<void> {
    const file = await open(local, 'r');
    try {
      let left = size;
      while (left > 0) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(Math.min(left, CHUNK_BYTES)));
        if (bytesRead === 0) throw new StreamError('COPY_FAILED', `${local} became smaller while it was copied`);
        left -= bytesRead;
        this.bytes += bytesRead;
        await this.#put(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
    await this.#put(new Uint8Array(padded(size) - size));
  }

  async #put(bytes: Uint8Array): Promise<void> {
    this.#written += bytes.length;
    await this.#write(bytes);
  }
}
