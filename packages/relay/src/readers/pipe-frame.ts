/** Frames on the pipe between a reader and its primary: a length, a type, a number, and fields behind one another. */

import type { Socket } from 'node:net';

/** The first byte of a frame. Requests go to the primary, answers to the reader. */
export const FRAME = {
  hello: 1,
  revision: 2,
  get: 3,
  range: 4,
  watch: 5,
  progress: 6,
  lines: 7,
  answer: 16,
  part: 17,
  failure: 18,
  batch: 19,
} as const;

/** Larger than any value of a store, or any batch of a watch. */
const MAX_FRAME_BYTES = 1024 * 1024 * 1024;
const HEAD_BYTES = 9;

/** A frame as it came. The payload is its own memory. */
export interface PipeFrame {
  readonly type: number;
  /** Which question it asks or answers. */
  readonly id: number;
  readonly payload: Buffer;
}

/** Builds a frame field by field. */
export class FrameWriter {
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  number(value: number): this {
    const field = Buffer.allocUnsafe(4);
    field.writeUInt32BE(value);
    return this.#add(field);
  }

  revision(value: bigint): this {
    const field = Buffer.allocUnsafe(8);
    field.writeBigUInt64BE(value);
    return this.#add(field);
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value));
  }

  bytes(value: Uint8Array): this {
    this.number(value.byteLength);
    return this.#add(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  }

  get size(): number {
    return this.#bytes;
  }

  frame(type: number, id: number): Buffer {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    head.writeUInt32BE(HEAD_BYTES - 4 + this.#bytes);
    head.writeUInt8(type, 4);
    head.writeUInt32BE(id, 5);
    return Buffer.concat([head, ...this.#parts], HEAD_BYTES + this.#bytes);
  }

  #add(field: Buffer): this {
    this.#parts.push(field);
    this.#bytes += field.length;
    return this;
  }
}

/** Reads the fields of a payload in their order. Throws a `RangeError` behind its end. */
export class FrameReader {
  readonly #payload: Buffer;
  #at = 0;

  constructor({ payload }: PipeFrame) {
    this.#payload = payload;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#payload.length;
  }

  number(): number {
    this.#at += 4;
    return this.#payload.readUInt32BE(this.#at - 4);
  }

  revision(): bigint {
    this.#at += 8;
    return this.#payload.readBigUInt64BE(this.#at - 8);
  }

  text(): string {
    return this.bytes().toString();
  }

  /** Shares its memory with the frame. */
  bytes(): Buffer {
    const length = this.number();
    if (this.#at + length > this.#payload.length) throw new RangeError('a field goes beyond its frame');
    this.#at += length;
    return this.#payload.subarray(this.#at - length, this.#at);
  }
}

/**
 * The frames of a connection, as fast as they are taken: while nobody takes one the socket is not read. Ends with the
 * connection; throws for what is no frame.
 */
export async function* framesOf(socket: Socket): AsyncGenerator<PipeFrame, undefined> {
  let chunks: Buffer[] = [];
  let length = 0;
  let wanted = HEAD_BYTES;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    while (length >= wanted) {
      const whole = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks, length);
      const bytes = whole.readUInt32BE(0);
      if (bytes < HEAD_BYTES - 4 || bytes > MAX_FRAME_BYTES) throw new RangeError(`a frame of ${bytes} bytes`);
      chunks = [whole];
      wanted = 4 + bytes;
      if (length < wanted) break;
      yield {
        type: whole.readUInt8(4),
        id: whole.readUInt32BE(5),
        payload: Buffer.from(whole.subarray(HEAD_BYTES, wanted)),
      };
      const rest = whole.subarray(wanted);
      chunks = rest.length === 0 ? [] : [rest];
      length = rest.length;
      wanted = HEAD_BYTES;
    }
  }
  return undefined;
}
