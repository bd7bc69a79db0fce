/** Reads the fields of a protobuf message in place. The sender is not trusted: lengths, tags and the number of fields are checked. */

import { requestEntityTooLarge } from '@listwatch/api';
import { encodeBase64 } from './base64-text.ts';
import { ProtobufProblem } from './protobuf-problem.ts';
import { MAX_READ_DEPTH, WIRE } from './wire-type.ts';

const MAX_FIELD = 2 ** 31 - 1;
/** A double holds this many groups of seven bits. */
const EXACT_BYTES = 7;
const MAX_BYTES = 10;

/** Shorter texts are read byte by byte, which is faster than a call of the decoder. */
const SHORT_TEXT = 24;

/** Invalid UTF-8 is replaced, as Go does when it writes JSON. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** How much of a body has been read, by the readers of all its messages together. */
interface Progress {
  fields: number;
  readonly maxFields: number;
}

/**
 * Walks over the fields of one message: `while (reader.next())`, and then each field is read once or skipped. All
 * methods throw a `ProtobufProblem`; the 413 for a body with more fields than the server decodes at once.
 */
export class WireReader {
  /** The number of the current field. */
  field = 0;
  wireType = 0;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #progress: Progress;
  readonly #depth: number;
  #position: number;

  /** `maxFields`: how many fields all messages in it may have together. */
  constructor(bytes: Uint8Array, maxFields: number = Number.POSITIVE_INFINITY, start = 0, around?: WireReader) {
    this.#bytes = bytes;
    this.#position = start;
    this.#end = around === undefined ? bytes.length : around.#position;
    this.#progress = around === undefined ? { fields: 0, maxFields } : around.#progress;
    this.#depth = around === undefined ? 0 : around.#depth + 1;
    if (this.#depth > MAX_READ_DEPTH) throw new ProtobufProblem('proto: exceeded max depth');
  }

  /** Whether the message has been read to its end. */
  get done(): boolean {
    return this.#position >= this.#end;
  }

  /** Moves to the next field; false at the end of the message. */
  next(): boolean {
    if (this.done) return false;
    this.count();
    const tag = this.#varint();
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.field < 1 || this.field > MAX_FIELD) throw new ProtobufProblem(`proto: illegal tag ${tag}`);
    return true;
  }

  /** Counts a field, or an item of a packed list. */
  count(): void {
    const progress = this.#progress;
    progress.fields += 1;
    if (progress.fields > progress.maxFields) {
      throw requestEntityTooLarge(`the body has more than ${progress.maxFields} fields`);
    }
  }

  /** An int64: a bigint where a double cannot hold it. */
  int64(): bigint | number {
    this.#expect(WIRE.varint);
    const start = this.#position;
    const value = this.#varint();
    if (Number.isSafeInteger(value)) return value;
    this.#position = start;
    const exact = this.#longVarint();
    // Of two integers that are one double only the one that the double is written as can be that double.
    return String(Number(exact)) === String(exact) ? Number(exact) : exact;
  }

  /** An int32; a longer integer is truncated to its low 32 bits. */
  int32(): number {
    this.#expect(WIRE.varint);
    const start = this.#position;
    const value = this.#varint();
    if (Number.isSafeInteger(value)) return value | 0;
    this.#position = start;
    return Number(BigInt.asIntN(32, this.#longVarint()));
  }

  bool(): boolean {
    this.#expect(WIRE.varint);
    return this.#varint() !== 0;
  }

  double(): number {
    this.#expect(WIRE.fixed64);
    const start = this.#position;
    this.#advance(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start, 8).getFloat64(0, true);
  }

  /** Bytes as text. Invalid UTF-8 is replaced. */
  string(): string {
    const start = this.#span();
    const end = this.#position;
    if (end - start <= SHORT_TEXT) {
      let text = '';
      let at = start;
      for (; at < end; at += 1) {
        const byte = this.#bytes[at] ?? 0;
        if (byte >= 0x80) break;
        text += String.fromCharCode(byte);
      }
      if (at === end) return text;
    }
    return decoder.decode(this.#bytes.subarray(start, end));
  }

  bytes(): Uint8Array {
    const start = this.#span();
    return this.#bytes.subarray(start, this.#position);
  }

  base64(): string {
    return encodeBase64(this.bytes());
  }

  /** The message, or packed list, in this field. */
  message(): WireReader {
    const start = this.#span();
    return new WireReader(this.#bytes, 0, start, this);
  }

  /** Skips the field. Counts nested groups instead of recursing: the sender chooses their depth. */
  skip(): void {
    let depth = 0;
    do {
      if (depth > 0 && !this.next()) throw new ProtobufProblem('proto: unexpected end of a group');
      switch (this.wireType) {
        case WIRE.varint:
          this.#varint();
          break;
        case WIRE.fixed64:
          this.#advance(8);
          break;
        case WIRE.bytes:
          this.#span();
          break;
        case WIRE.startGroup:
          depth += 1;
          break;
        case WIRE.endGroup:
          if (depth === 0) throw new ProtobufProblem('proto: unexpected end of group');
          depth -= 1;
          break;
        case WIRE.fixed32:
          this.#advance(4);
          break;
        default:
          throw new ProtobufProblem(`proto: illegal wireType ${this.wireType}`);
      }
    } while (depth > 0);
  }

  /** Skips length-prefixed bytes and returns where they start. */
  #span(): number {
    this.#expect(WIRE.bytes);
    const length = this.#varint();
    const start = this.#position;
    this.#advance(length);
    return start;
  }

  #expect(wireType: number): void {
    if (this.wireType !== wireType) {
      throw new ProtobufProblem(`proto: wrong wireType = ${this.wireType} for field ${this.field}`);
    }
  }

  #advance(length: number): void {
    if (length < 0 || length > this.#end - this.#position) throw new ProtobufProblem('proto: unexpected end');
    this.#position += length;
  }

  #varint(): number {
    const start = this.#position;
    let value = 0;
    let scale = 1;
    for (let count = 0; count < EXACT_BYTES; count += 1) {
      const byte = this.#byte();
      if (byte < 0x80) return value + byte * scale;
      value += (byte - 0x80) * scale;
      scale *= 0x80;
    }
    this.#position = start;
    return Number(this.#longVarint());
  }

  /** Reads up to ten bytes; every negative number takes ten. */
  #longVarint(): bigint {
    let value = 0n;
    for (let count = 0n; count < MAX_BYTES; count += 1n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << (7n * count);
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new ProtobufProblem('proto: integer overflow');
  }

  #byte(): number {
    const byte = this.#position < this.#end ? this.#bytes[this.#position] : undefined;
    if (byte === undefined) throw new ProtobufProblem('proto: unexpected end');
    this.#position += 1;
    return byte;
  }
}
