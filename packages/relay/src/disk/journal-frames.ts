/** A file of sealed frames: how one begins, what is added to it, and what can be read of it. */

import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { checksumSeal, encryptingSeal, FILE_ID_BYTES, type FrameSeal, TAG_BYTES } from './frame-seal.ts';

const NAME = 'listwatch relay journal 1';
const LENGTH_BYTES = 4;
/** Longer ones are never written: a length beyond this is damage. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

/** The first line says whether the rest is encrypted. */
function titleOf(key: Uint8Array | undefined): Buffer {
  return Buffer.from(`${NAME} ${key === undefined ? 'plain' : 'aes-256-gcm'}\n`);
}

function sealOf(key: Uint8Array | undefined, fileId: Uint8Array): FrameSeal {
  return key === undefined ? checksumSeal(fileId) : encryptingSeal(key, fileId);
}

/** Makes the bytes of a new file, frame by frame. */
export class JournalFrameWriter {
  /** The bytes with which the file begins. */
  readonly start: Buffer;
  readonly #seal: FrameSeal;
  #place = 0;

  constructor(key: Uint8Array | undefined) {
    const fileId = randomBytes(FILE_ID_BYTES);
    this.#seal = sealOf(key, fileId);
    this.start = Buffer.concat([titleOf(key), fileId]);
  }

  /** The next frame. */
  frame(body: Uint8Array): readonly Uint8Array[] {
    if (body.length > MAX_FRAME_BYTES) throw new RangeError(`a record of ${body.length} bytes is too long`);
    const sealed = this.#seal.seal(body, this.#place);
    this.#place += 1;
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(sealed.body.length);
    return [length, sealed.body, sealed.tag];
  }
}

/**
 * The frames of a file until its end, or until one that is cut or damaged. Returns the number of bytes that were not used. Throws for a
 * file that is none of these, or was sealed in another way.
 */
export async function* readFrames(
  file: FileHandle,
  key: Uint8Array | undefined,
): AsyncGenerator<Buffer, number, undefined> {
  const title = titleOf(key);
  let rest: Buffer = Buffer.alloc(0);
  let seal: FrameSeal | undefined;
  let place = 0;
  let unused: number | undefined;
  for await (const chunk of file.createReadStream({ highWaterMark: READ_BYTES, autoClose: false, start: 0 })) {
    if (!Buffer.isBuffer(chunk)) continue;
    if (unused !== undefined) {
      unused += chunk.length;
      continue;
    }
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (seal === undefined) {
      const start = title.length + FILE_ID_BYTES;
      if (rest.length < start) continue;
      if (!rest.subarray(0, title.length).equals(title)) throw wrongTitle(rest, key);
      seal = sealOf(key, rest.subarray(title.length, start));
      rest = rest.subarray(start);
    }
    for (;;) {
      const frame = frameIn(rest);
      if (frame === undefined) break;
      const body = frame === 'damaged' ? undefined : seal.open(frame, place);
      if (body === undefined || frame === 'damaged') {
        unused = rest.length;
        break;
      }
      place += 1;
      rest = rest.subarray(LENGTH_BYTES + frame.body.length + TAG_BYTES);
      yield body;
    }
  }
  return unused ?? rest.length;
}

function frameIn(bytes: Buffer): { readonly body: Buffer; readonly tag: Buffer } | 'damaged' | undefined {
  if (bytes.length < LENGTH_BYTES) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length > MAX_FRAME_BYTES) return 'damaged';
  const end = LENGTH_BYTES + length;
  if (bytes.length < end + TAG_BYTES) return undefined;
  return { body: bytes.subarray(LENGTH_BYTES, end), tag: bytes.subarray(end, end + TAG_BYTES) };
}

function wrongTitle(bytes: Buffer, key: Uint8Array | undefined): Error {
  const isJournal = bytes.subarray(0, NAME.length).equals(Buffer.from(NAME));
  if (!isJournal) return new Error('it is no journal of this program');
  return new Error(key === undefined ? 'it is encrypted, and there is no key' : 'it is not encrypted, as it should be');
}
