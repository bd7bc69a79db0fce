/**
 * Writes protobuf messages back to front, so that the length of a nested message is known when it is due. This is not the `WireWriter`
 * of packages/schema: a storage engine does not import schema, and its buffers belong to the socket, so that they cannot be reused.
 */

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** The most bytes that one integer field takes: a tag of two and a varint of ten. */
export const INT_FIELD_BYTES = 12;

/**
 * One message in a buffer of fixed size. Fields are written in the reverse of their order; `capacity` must be enough
 * for all of them, which the callers can compute, so nothing ever grows or is copied twice.
 */
export class ProtoWriter {
  readonly #buffer: Buffer;
  #position: number;

  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#position = capacity;
  }

  /** An int64, uint64, enum or bool field. Zero is left out, as proto3 does. */
  int(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    this.present(field, value);
  }

  /** An integer field that is written even when zero: a member of a oneof counts by being there. */
  present(field: number, value: number | bigint): void {
    if (typeof value === 'bigint') this.#varint64(value);
    else this.#varint(value);
    this.#varint(field * 8 + VARINT);
  }

  /** A bytes or string field. Empty is left out. */
  bytes(field: number, value: Uint8Array): void {
    if (value.length === 0) return;
    this.#position -= value.length;
    this.#buffer.set(value, this.#position);
    this.#delimit(field, value.length);
  }

  /** Where the message stands now: pass it to {@link nest} when all fields of the nested message have been written. */
  mark(): number {
    return this.#position;
  }

  /** Closes the nested message that was written since `mark`; an empty one is written too. */
  nest(field: number, mark: number): void {
    this.#delimit(field, mark - this.#position);
  }

  /** The message. The writer must not be used afterwards. */
  finish(): Buffer {
    return this.#buffer.subarray(this.#position);
  }

  #delimit(field: number, length: number): void {
    this.#varint(length);
    this.#varint(field * 8 + LENGTH_DELIMITED);
  }

  #varint(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
    this.#position -= size;
    let rest = value;
    for (let i = 0; i < size - 1; i += 1) {
      this.#buffer[this.#position + i] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#position + size - 1] = rest;
  }

  #varint64(value: bigint): void {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, value);
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) + 0x80);
    bytes.push(Number(rest));
    this.#position -= bytes.length;
    this.#buffer.set(bytes, this.#position);
  }
}
