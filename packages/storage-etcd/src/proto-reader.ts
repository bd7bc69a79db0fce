/**
 * Reads protobuf messages in place: nested messages are ranges of the same buffer, nothing is copied on the way. This is not the
 * `WireReader` of packages/schema: a storage engine does not import schema, its errors are `StorageError`s, and it decides which bytes
 * may keep a whole message alive.
 */

import { StorageError } from '@listwatch/storage';

/** Walks over the fields of one message. Use: `while (reader.next()) switch (reader.field) { ... }`. */
export class ProtoReader {
  readonly buffer: Buffer;
  /** The number of the field that {@link next} has come to. */
  field = 0;
  #position: number;
  #end: number;
  #wireType = 0;
  readonly #shares: boolean;

  /** `shares`: bytes fields are views of the message, for those who keep none of them for long. */
  constructor(buffer: Buffer, start = 0, end: number = buffer.length, shares = false) {
    this.buffer = buffer;
    this.#shares = shares;
    this.#position = start;
    this.#end = end;
  }

  /** Goes to the next field; false at the end of the message. Every field must be read or skipped before the next. */
  next(): boolean {
    if (this.#position >= this.#end) return false;
    const tag = this.int();
    this.field = Math.floor(tag / 8);
    this.#wireType = tag % 8;
    return true;
  }

  /** An integer field. Exact: one that JavaScript's numbers cannot hold is refused. */
  int(): number {
    let value = 0;
    let scale = 1;
    const start = this.#position;
    // Seven groups of seven bits are 49: exact in a double. Revisions do not get longer in practice.
    for (let i = 0; i < 7; i += 1) {
      const byte = this.#byte();
      if (byte < 0x80) return value + byte * scale;
      value += (byte - 0x80) * scale;
      scale *= 0x80;
    }
    this.#position = start;
    const long = Number(this.int64());
    if (!Number.isSafeInteger(long)) throw malformed('an integer beyond 2^53');
    return long;
  }

  /** An int64 field with all its bits: the id of a lease uses them. */
  int64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw malformed('a varint of more than ten bytes');
  }

  /** A bool field. */
  bool(): boolean {
    return this.int() !== 0;
  }

  /** A string field. */
  string(): string {
    const [start, end] = this.#span();
    return this.buffer.toString('utf8', start, end);
  }

  /** A string field without its first `skip` bytes. */
  stringFrom(skip: number): string {
    const [start, end] = this.#span();
    if (end - start < skip) throw malformed('a key shorter than the root');
    return this.buffer.toString('utf8', start + skip, end);
  }

  /**
   * A bytes field that may be kept for long. It shares the message's memory only when it is most of it: one small value
   * in a cache must not keep a message of megabytes alive.
   */
  bytes(): Uint8Array {
    const [start, end] = this.#span();
    const shared = new Uint8Array(this.buffer.buffer, this.buffer.byteOffset + start, end - start);
    if (this.#shares) return shared;
    return this.buffer.buffer.byteLength > 2 * shared.length + 512 ? shared.slice() : shared;
  }

  /** A reader over a nested message. */
  message(): ProtoReader {
    const [start, end] = this.#span();
    return new ProtoReader(this.buffer, start, end, this.#shares);
  }

  /** Steps over the field. */
  skip(): void {
    switch (this.#wireType) {
      case 0:
        while (this.#byte() >= 0x80);
        return;
      case 1:
        this.#advance(8);
        return;
      case 2:
        this.#span();
        return;
      case 5:
        this.#advance(4);
        return;
      default:
        throw malformed(`wire type ${this.#wireType}`);
    }
  }

  #span(): readonly [number, number] {
    if (this.#wireType !== 2) throw malformed(`wire type ${this.#wireType} where bytes were expected`);
    const length = this.int();
    const start = this.#position;
    this.#advance(length);
    return [start, this.#position];
  }

  #advance(length: number): void {
    this.#position += length;
    if (length < 0 || this.#position > this.#end) throw malformed('a field beyond the end of its message');
  }

  #byte(): number {
    const byte = this.#position < this.#end ? this.buffer[this.#position] : undefined;
    if (byte === undefined) throw malformed('an integer beyond the end of its message');
    this.#position += 1;
    return byte;
  }
}

function malformed(what: string): StorageError {
  return new StorageError('CORRUPT', `etcd sent a message that cannot be read: ${what}`);
}
