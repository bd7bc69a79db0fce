/** Writes a protobuf message from its end to its start: the length of a message is known when its start is written. */

import { WIRE } from './wire-type.ts';

const START_BYTES = 16 * 1024;
/** A buffer that grew for one large object is not kept for the next ones. */
const KEPT_BYTES = 1024 * 1024;
/** Shorter texts are written character by character, which is faster than a call of the encoder. */
const SHORT_TEXT = 40;

const encoder = new TextEncoder();

/** Everything is written in front of what is there already: fields from the last to the first, a tag after its value. */
export class WireWriter {
  #bytes = new Uint8Array(START_BYTES);
  #view = new DataView(this.#bytes.buffer);
  /** Where the written bytes start. */
  #at = START_BYTES;

  /** The number of bytes so far. The size of a message is the difference of two such numbers. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** A copy of all that was written; the writer is empty again. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(this.#at);
    this.clear();
    return taken;
  }

  /** Forgets what was written. */
  clear(): void {
    if (this.#bytes.length > KEPT_BYTES) this.#allocate(START_BYTES);
    this.#at = this.#bytes.length;
  }

  /** The number and the type of the field whose value was just written. */
  tag(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  /** Makes what was written since `end` the value of a field: its length and its tag. */
  delimit(field: number, end: number): void {
    this.varint(this.length - end);
    this.varint(field * 8 + WIRE.bytes);
  }

  /** An integer that is not negative and safe. */
  varint(value: number): void {
    if (value < 0x80) {
      this.#room(1);
      this.#at -= 1;
      this.#bytes[this.#at] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
    this.#room(size);
    this.#at -= size;
    let at = this.#at;
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
      this.#bytes[at] = (rest % 0x80) + 0x80;
      at += 1;
    }
    this.#bytes[at] = rest;
  }

  /** An int32 or int64; ten bytes when it is negative. */
  integer(value: bigint | number): void {
    if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) this.varint(value);
    else this.#long(BigInt.asUintN(64, BigInt(value)));
  }

  double(value: number): void {
    this.#room(8);
    this.#at -= 8;
    this.#view.setFloat64(this.#at, value, true);
  }

  /** UTF-8, without a length. */
  text(value: string): void {
    let left = value.length;
    this.#room(left * 3);
    const bytes = this.#bytes;
    if (left <= SHORT_TEXT) {
      let at = this.#at;
      for (; left > 0; left -= 1) {
        const code = value.charCodeAt(left - 1);
        if (code >= 0x80) break;
        at -= 1;
        bytes[at] = code;
      }
      this.#at = at;
      if (left === 0) return;
    }
    // Its size in UTF-8 is not known before it is encoded: it is moved to its place afterwards.
    const start = this.#at - left * 3;
    const rest = left === value.length ? value : value.slice(0, left);
    const { written } = encoder.encodeInto(rest, bytes.subarray(start, this.#at));
    bytes.copyWithin(this.#at - written, start, start + written);
    this.#at -= written;
  }

  bytes(value: Uint8Array): void {
    this.#room(value.length);
    this.#at -= value.length;
    this.#bytes.set(value, this.#at);
  }

  #long(value: bigint): void {
    let size = 1;
    for (let rest = value >> 7n; rest > 0n; rest >>= 7n) size += 1;
    this.#room(size);
    this.#at -= size;
    let rest = value;
    for (let index = 0; index < size; index += 1) {
      this.#bytes[this.#at + index] = Number(rest & 0x7fn) | (index < size - 1 ? 0x80 : 0);
      rest >>= 7n;
    }
  }

  #room(size: number): void {
    if (this.#at >= size) return;
    const old = this.#bytes.subarray(this.#at);
    this.#allocate(Math.max(this.#bytes.length * 2, old.length + size));
    this.#at = this.#bytes.length - old.length;
    this.#bytes.set(old, this.#at);
  }

  #allocate(size: number): void {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }
}
