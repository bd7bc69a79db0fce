/** Copies files out of a container. Node only. */

import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join, posix, resolve, sep } from 'node:path';
import type { AbortOptions } from '@listwatch/api';
import type { ObjectTarget } from '../cluster.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import type { CommandSession } from './command-session.ts';
import { exec } from './exec.ts';
import type { StreamCluster } from './open-messages.ts';
import { StreamError } from './stream-error.ts';
import { safeParts } from './tar/safe-path.ts';
import type { TarEntryType } from './tar/tar-header.ts';
import { readTar, type TarEntry } from './tar/tar-reader.ts';

/** Options of `copyFrom`. */
export interface CopyFromOptions extends AbortOptions {
  /** A file or a directory in the container. */
  readonly from: string;
  /** What it is called here: the file, or the directory whose content it becomes. */
  readonly to: string;
  /** Default: the only one. */
  readonly container?: string | undefined;
  /** Rejects with `TOO_LARGE` when all files together have more. Default: 8 GiB. */
  readonly maxBytes?: number | undefined;
  /** Rejects with `TOO_LARGE` when there are more. Default: 1 000 000. */
  readonly maxFiles?: number | undefined;
  /** Told of each entry that is not copied: links and devices. Default: nobody is. */
  readonly onSkipped?: ((path: string, type: TarEntryType) => void) | undefined;
}

/** What was copied. */
export interface CopyResult {
  readonly files: number;
  readonly bytes: number;
}

const COPY_FROM_NAMES: OptionNames<CopyFromOptions> = {
  signal: true,
  from: true,
  to: true,
  container: true,
  maxBytes: true,
  maxFiles: true,
  onSkipped: true,
};

const PLATFORM = process.platform === 'win32' ? 'windows' : 'others';
const MAX_BYTES = 8 * 1024 ** 3;
const MAX_FILES = 1_000_000;
/** What `tar` says when something goes wrong. */
const MAX_WORDS_BYTES = 64 * 1024;

/**
 * Copies a file or a directory from a container, which must have `tar`. What the pod sends is not believed: a path that leads out of
 * `to` ends the copy with `UNSAFE_PATH`; links are skipped, and no link that lies in `to` is followed. Rejects with `COPY_FAILED`
 * when `tar` fails. What was copied before an error stays.
 */
export async function copyFrom(
  cluster: StreamCluster,
  target: ObjectTarget,
  options: CopyFromOptions,
): Promise<CopyResult> {
  checkOptionNames('copyFrom', options, COPY_FROM_NAMES);
  const { from, to, container, signal } = options;
  const name = posix.basename(from);
  if (name === '' || name === '.' || name === '..') {
    throw new TypeError(`from must name a file or a directory: ${JSON.stringify(from)}`);
  }
  // With ./ a name that begins with a dash is no option.
  const command = ['tar', 'cf', '-', '-C', posix.dirname(from), `./${name}`];
  await using session = await exec(cluster, target, { command, container, signal });
  const words = session.stderr.text({ maxBytes: MAX_WORDS_BYTES });
  // Heard below, where it is of interest.
  words.catch(() => {});
  const copy = new LocalCopy(resolve(to), name, options);
  try {
    for await (const entry of readTar(session.stdout)) await copy.add(entry);
  } catch (error) {
    // An archive that is not whole is mostly the end of what `tar` complained of.
    throw (await complaint(session, words, error)) ?? error;
  }
  const failed = await complaint(session, words, undefined);
  if (failed !== undefined) throw failed;
  return copy.result;
}

async function complaint(
  session: CommandSession,
  words: Promise<string>,
  error: unknown,
): Promise<StreamError | undefined> {
  if (error !== undefined && !(error instanceof StreamError && error.code === 'BAD_ARCHIVE')) return undefined;
  const { code } = await session.wait();
  if (code === 0) return undefined;
  return new StreamError('COPY_FAILED', `tar in the container ended with ${code}: ${(await words).trim()}`, {
    cause: error,
  });
}

/** The copy on this machine. */
class LocalCopy {
  readonly #root: string;
  readonly #name: string;
  readonly #options: CopyFromOptions;
  /** Directories that were looked at: real, and below the root. */
  readonly #known = new Set<string>();
  #files = 0;
  #bytes = 0;

  constructor(root: string, name: string, options: CopyFromOptions) {
    this.#root = root;
    this.#name = name;
    this.#options = options;
  }

  get result(): CopyResult {
    return { files: this.#files, bytes: this.#bytes };
  }

  async add(entry: TarEntry): Promise<void> {
    const { maxFiles = MAX_FILES, onSkipped } = this.#options;
    const [first, ...parts] = safeParts(entry.path, PLATFORM);
    if (first !== this.#name) throw new StreamError('UNSAFE_PATH', `the archive from the pod names ${entry.path}`);
    if (entry.type !== 'directory' && entry.type !== 'file') {
      onSkipped?.(entry.path, entry.type);
      return;
    }
    this.#files += 1;
    if (this.#files > maxFiles) throw new StreamError('TOO_LARGE', `there are more than maxFiles (${maxFiles}) files`);
    const path = join(this.#root, ...parts);
    if (entry.type === 'directory') await this.#directory(path);
    else await this.#file(path, entry);
  }

  async #file(path: string, entry: TarEntry): Promise<void> {
    const { maxBytes = MAX_BYTES } = this.#options;
    await this.#parent(path);
    // Never through a link: that could be a file anywhere.
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
    const file = await open(path, flags, 0o600).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'ELOOP' ? new StreamError('UNSAFE_PATH', `${path} is a link`, { cause }) : cause;
    });
    try {
      for await (const chunk of entry.content) {
        this.#bytes += chunk.length;
        if (this.#bytes > maxBytes) throw new StreamError('TOO_LARGE', `there are more than maxBytes (${maxBytes})`);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    // Without the bits that let a file run as its owner.
    await chmod(path, entry.mode & 0o777);
  }

  async #parent(path: string): Promise<void> {
    if (path === this.#root) await mkdir(dirname(path), { recursive: true });
    else await this.#directory(dirname(path));
  }

  /** Makes a directory, part by part: one of them that is a link would lead elsewhere. */
  async #directory(path: string): Promise<void> {
    if (this.#known.has(path)) return;
    if (path === this.#root) await mkdir(path, { recursive: true });
    else {
      await this.#directory(dirname(path));
      await mkdir(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      if (!(await lstat(path)).isDirectory()) throw new StreamError('UNSAFE_PATH', `${path} is no directory`);
    }
    const root = await realpath(this.#root);
    const real = await realpath(path);
    if (real !== root && !real.startsWith(root + sep)) throw new StreamError('UNSAFE_PATH', `${path} leads elsewhere`);
    this.#known.add(path);
  }
}
