/** Reads a tar archive as it arrives. Nothing of it is believed: names and sizes have limits. */

import { StreamError } from '../stream-error.ts';
import {
  BLOCK_BYTES,
  GNU_LONG_LINK,
  GNU_LONG_NAME,
  PAX,
  PAX_GLOBAL,
  padded,
  readPax,
  readTarHeader,
  type TarHeader,
} from './tar-header.ts';

/** One entry. Its content must be read before the next entry is asked for; what is left of it is skipped. */
export interface TarEntry extends TarHeader {
  readonly content: AsyncIterable<Uint8Array>;
}

/** Names are at most 4096 bytes on Linux; what is longer is an attack on our memory. */
const MAX_EXTENSION_BYTES = 64 * 1024;
/** Extensions may follow one another, but not for ever. */
const MAX_EXTENSIONS = 16;

/** The entries of an archive. Throws `BAD_ARCHIVE` when it is none, or ends before its end. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, undefined> {
  const bytes = new ByteCursor(source);
  try {
    for (;;) {
      const header = await nextHeader(bytes);
      if (header === undefined) break;
      const content = new EntryContent(bytes, header.size);
      yield { ...header, content };
      await content.skip();
      await bytes.skip(padded(header.size) - header.size);
    }
    // What stands behind the end is padding; it is read, so that the sender can end.
    await bytes.rest();
    return undefined;
  } finally {
    await bytes.close();
  }
}

/** The next header with what the extensions before it say; undefined at the end. */
async function nextHeader(bytes: ByteCursor): Promise<TarHeader | undefined> {
  let path: string | undefined;
  let linkPath: string | undefined;
  let size: number | undefined;
  for (let extensions = 0; extensions <= MAX_EXTENSIONS; extensions += 1) {
    const header = readTarHeader(await bytes.take(BLOCK_BYTES));
    if (header === undefined) return undefined;
    const { flag, ...plain } = header;
    if (![PAX, PAX_GLOBAL, GNU_LONG_LINK, GNU_LONG_NAME].includes(flag)) {
      const own = {
        ...plain,
        path: path ?? plain.path,
        linkPath: linkPath ?? plain.linkPath,
        size: size ?? plain.size,
      };
      // Links and directories have no content, whatever their size says.
      return own.type === 'directory' || own.type === 'symlink' ? { ...own, size: 0 } : own;
    }
    if (header.size > MAX_EXTENSION_BYTES) throw new StreamError('BAD_ARCHIVE', 'a name in the archive is too long');
    const body = await bytes.take(header.size);
    await bytes.skip(padded(header.size) - header.size);
    if (flag === PAX) {
      const records = readPax(body);
      path = records.get('path') ?? path;
      linkPath = records.get('linkpath') ?? linkPath;
      size = sizeOf(records.get('size')) ?? size;
    } else if (flag === GNU_LONG_NAME) path = untilZero(body);
    else if (flag === GNU_LONG_LINK) linkPath = untilZero(body);
  }
  throw new StreamError('BAD_ARCHIVE', `the archive has more than ${MAX_EXTENSIONS} headers for one entry`);
}

function sizeOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const size = /^\d{1,16}$/u.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw new StreamError('BAD_ARCHIVE', 'a pax header of the archive has a wrong size');
  return size;
}

function untilZero(body: Uint8Array): string {
  const end = body.indexOf(0);
  return new TextDecoder().decode(end === -1 ? body : body.subarray(0, end));
}

class EntryContent implements AsyncIterable<Uint8Array> {
  readonly #bytes: ByteCursor;
  #left: number;

  constructor(bytes: ByteCursor, size: number) {
    this.#bytes = bytes;
    this.#left = size;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, undefined> {
    while (this.#left > 0) {
      const chunk = await this.#bytes.some(this.#left);
      this.#left -= chunk.length;
      yield chunk;
    }
    return undefined;
  }

  async skip(): Promise<void> {
    await this.#bytes.skip(this.#left);
    this.#left = 0;
  }
}

/** Bytes of a source, as many as one wants at a time. */
class ByteCursor {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At least one byte and at most `most`. Throws `BAD_ARCHIVE` at the end. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#chunk.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) throw new StreamError('BAD_ARCHIVE', 'the archive ends before its end');
      this.#chunk = next.value;
    }
    const taken = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(taken.length);
    return taken;
  }

  async take(count: number): Promise<Uint8Array> {
    const taken = new Uint8Array(count);
    for (let at = 0; at < count; ) {
      const part = await this.some(count - at);
      taken.set(part, at);
      at += part.length;
    }
    return taken;
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) left -= (await this.some(left)).length;
  }

  async rest(): Promise<void> {
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) void next.value;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
