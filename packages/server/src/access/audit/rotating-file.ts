/** A log file that is rotated by size; old files go by age and number. */

import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** When files are rotated and removed; 0 is never. */
export interface RotationConfig {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly maxBackups: number;
  readonly compress: boolean;
}

/** How many whole lines of a write are in the file, and why it is not all of them. */
export interface AppendedLines {
  readonly lines: number;
  readonly error?: unknown;
}

const DAY_MS = 86_400_000;
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY;
/** Absent on Windows. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** Megabytes and days as bytes and milliseconds. */
export function rotationConfig(options: {
  readonly maxSize?: number | undefined;
  readonly maxAge?: number | undefined;
  readonly maxBackup?: number | undefined;
  readonly compress?: boolean | undefined;
}): RotationConfig {
  const { maxSize = 100, maxAge = 366, maxBackup = 100, compress = false } = options;
  return { maxBytes: maxSize * 1024 * 1024, maxAgeMs: maxAge * DAY_MS, maxBackups: maxBackup, compress };
}

/** One file. Calls must not overlap. */
export class RotatingFile {
  readonly path: string;
  readonly #config: RotationConfig;
  readonly #now: () => number;
  #handle: FileHandle | undefined;
  #bytes = 0;
  #tidying: Promise<void> | undefined;

  constructor(path: string, config: RotationConfig, now: () => number) {
    this.path = path;
    this.#config = config;
    this.#now = now;
  }

  /** Opens the file, or makes it. Rejects with Node's error. */
  async open(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const handle = await openOwn(this.path);
    this.#bytes = (await handle.stat()).size;
    this.#handle = handle;
    this.#tidy();
  }

  /** Appends lines, each with its end. A line is in the file whole, or not at all. Never rejects. */
  async append(lines: readonly string[]): Promise<AppendedLines> {
    const bytes = Buffer.from(lines.join(''));
    let written = 0;
    const before = { bytes: 0 };
    try {
      if (this.#handle === undefined) await this.open();
      if (this.#isFull(bytes.length)) await this.#rotate();
      before.bytes = this.#bytes;
      while (written < bytes.length) {
        const handle = this.#handle;
        if (handle === undefined) throw new Error(`${this.path} is closed`);
        written += (await handle.write(bytes, written)).bytesWritten;
      }
      this.#bytes += written;
      return { lines: lines.length };
    } catch (error) {
      return { lines: await this.#keepWhole(lines, before.bytes, written), error };
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    await this.#tidying;
  }

  #isFull(more: number): boolean {
    const { maxBytes } = this.#config;
    return maxBytes > 0 && this.#bytes > 0 && this.#bytes + more > maxBytes;
  }

  /** Cuts off the beginning of a line, which would spoil the next one. The number of lines that stay. */
  async #keepWhole(lines: readonly string[], before: number, written: number): Promise<number> {
    let whole = 0;
    let bytes = 0;
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (bytes + length > written) break;
      bytes += length;
      whole += 1;
    }
    try {
      if (written > bytes) await this.#handle?.truncate(before + bytes);
      this.#bytes = before + bytes;
    } catch {
      // The next write begins behind what is there. The line is lost, and counted.
      this.#bytes = before + written;
    }
    return whole;
  }

  async #rotate(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    await rename(this.path, await this.#backupPath());
    await this.open();
  }

  /** `audit-2026-11-16T15-29-51.506.log`. A second rotation in the same millisecond takes the next one. */
  async #backupPath(): Promise<string> {
    const taken = new Set(await readdir(dirname(this.path)));
    for (let at = this.#now(); ; at += 1) {
      const name = this.#backupName(at);
      if (!taken.has(name) && !taken.has(`${name}.gz`)) return join(dirname(this.path), name);
    }
  }

  #backupName(at: number): string {
    const extension = extname(this.path);
    const time = new Date(at).toISOString().slice(0, -1).replaceAll(':', '-');
    return `${basename(this.path, extension)}-${time}${extension}`;
  }

  /** Beside the writing: nobody waits for it, and what fails is tried again at the next rotation. */
  #tidy(): void {
    this.#tidying ??= this.#removeOld()
      .catch(() => {})
      .finally(() => {
        this.#tidying = undefined;
      });
  }

  async #removeOld(): Promise<void> {
    const { maxBackups, maxAgeMs, compress } = this.#config;
    const folder = dirname(this.path);
    // A link or a pipe of such a name is somebody else's: what it leads to is neither read nor removed.
    const backups = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => ({ name, at: this.#backupTime(name) }))
      .filter((one): one is { name: string; at: number } => one.at !== undefined)
      .toSorted((one, other) => other.at - one.at);
    const oldest = maxAgeMs > 0 ? this.#now() - maxAgeMs : Number.NEGATIVE_INFINITY;
    for (const [index, { name, at }] of backups.entries()) {
      const path = join(folder, name);
      if ((maxBackups > 0 && index >= maxBackups) || at < oldest) await rm(path, { force: true });
      else if (compress && !name.endsWith('.gz')) await packed(path);
    }
  }

  /** When a file was rotated; undefined for a file that is none of ours. */
  #backupTime(name: string): number | undefined {
    const extension = extname(this.path);
    const start = `${basename(this.path, extension)}-`;
    const plain = name.endsWith('.gz') ? name.slice(0, -3) : name;
    if (!plain.startsWith(start) || !plain.endsWith(extension)) return undefined;
    const time = plain.slice(start.length, plain.length - extension.length);
    const [, date, hours, minutes, rest] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/u.exec(time) ?? [];
    return date === undefined ? undefined : Date.parse(`${date}T${hours}:${minutes}:${rest}Z`);
  }
}

/** Not through a link of somebody else, who would choose the file that the log is written to. */
async function openOwn(path: string): Promise<FileHandle> {
  const link = await lstat(path).catch(() => undefined);
  const user = process.geteuid?.();
  const isOwn = user === undefined || link?.uid === user || link?.uid === 0;
  if (link?.isSymbolicLink() !== true) return open(path, APPEND | NO_LINK, 0o600);
  if (!isOwn) throw new Error(`${path} is a link of user ${link.uid}, and this is user ${user}`);
  return open(path, APPEND, 0o600);
}

async function packed(path: string): Promise<void> {
  const part = `${path}.gz.part`;
  // Of a server that was killed. A new file has no other mode and leads nowhere.
  await rm(part, { force: true });
  const from = await open(path, constants.O_RDONLY | NO_LINK);
  await pipeline(from.createReadStream(), createGzip(), createWriteStream(part, { mode: 0o600, flags: 'wx' }));
  await rename(part, `${path}.gz`);
  await rm(path);
}
