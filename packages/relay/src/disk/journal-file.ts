/** The file of a journal while it is written: replaced by a new base, and added to. */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { JournalFrameWriter } from './journal-frames.ts';

const FILE_MODE = 0o600;
/** EXCL: nobody may choose, by a link of that name, which file is overwritten. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const WRITE_BYTES = 256 * 1024;

/** The name of a file that is being written ends so. */
export const UNFINISHED = '.tmp';

/** Nothing is flushed to the disk: what a power failure takes is fetched again. */
export class JournalFile {
  readonly #path: string;
  readonly #key: Uint8Array | undefined;
  #open: { readonly file: FileHandle; readonly frames: JournalFrameWriter } | undefined;
  #bytes = 0;

  constructor(path: string, key: Uint8Array | undefined) {
    this.#path = path;
    this.#key = key;
  }

  /** Of the file that is added to; 0: there is none. */
  get bytes(): number {
    return this.#open === undefined ? 0 : this.#bytes;
  }

  /** Begins a new file with these records and puts it in the place of the old one, which stays if this rejects. */
  async replace(records: Iterable<Buffer>): Promise<void> {
    await this.close();
    const path = this.#path;
    const unfinished = `${path}.${randomBytes(8).toString('hex')}${UNFINISHED}`;
    const file = await open(unfinished, FLAGS, FILE_MODE);
    try {
      const frames = new JournalFrameWriter(this.#key);
      this.#bytes = 0;
      await this.#write(file, frames, records, [frames.start]);
      await rename(unfinished, path);
      this.#open = { file, frames };
    } catch (error) {
      await file.close().catch(() => {});
      await rm(unfinished, { force: true }).catch(() => {});
      throw error;
    }
  }

  /** Adds records. After a failure the file ends with a part of one, and nothing more may be added: it is closed. */
  async append(records: Iterable<Buffer>): Promise<void> {
    if (this.#open === undefined) throw new Error('there is no file to add to');
    try {
      await this.#write(this.#open.file, this.#open.frames, records, []);
    } catch (error) {
      await this.close().catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    const { file } = this.#open ?? {};
    this.#open = undefined;
    await file?.close();
  }

  /** What it holds must not be read again. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.#path, { force: true });
  }

  async #write(
    file: FileHandle,
    frames: JournalFrameWriter,
    records: Iterable<Buffer>,
    start: readonly Uint8Array[],
  ): Promise<void> {
    let parts = [...start];
    let size = 0;
    const flush = async (): Promise<void> => {
      const bytes = Buffer.concat(parts);
      parts = [];
      size = 0;
      await file.writeFile(bytes);
      this.#bytes += bytes.length;
    };
    for (const record of records) {
      const frame = frames.frame(record);
      parts.push(...frame);
      size += record.length;
      if (size >= WRITE_BYTES) await flush();
    }
    if (parts.length > 0) await flush();
  }
}
