/** Reads the header blocks of a server (RFC 7541). */

import { decodeHuffman } from './huffman-text.ts';
import { type HeaderField, STATIC_HEADERS } from './static-headers.ts';

/** The fields of a block; of a name that comes several times the last one. */
export type HeaderFields = Readonly<Record<string, string>>;

/** What we let the server remember: HTTP/2's default. */
const TABLE_BYTES = 4096;
/** What a field counts beside its text. */
const FIELD_BYTES = 32;
/** A block that is longer when it is decoded is refused: an index of one byte can stand for kilobytes. */
const MAX_LIST_BYTES = 64 * 1024;

/** One for each connection: the blocks build on one another. */
export class HpackDecoder {
  /** The newest field first. */
  readonly #table: HeaderField[] = [];
  #tableBytes = 0;
  #maxTableBytes = TABLE_BYTES;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Throws an `Error` for a block that cannot be read: the connection is of no use afterwards. */
  decode(block: Buffer): HeaderFields {
    this.#block = block;
    this.#at = 0;
    const fields: Record<string, string> = Object.create(null);
    let bytes = 0;
    while (this.#at < block.length) {
      const field = this.#field();
      if (field === undefined) continue;
      bytes += sizeOf(field);
      if (bytes > MAX_LIST_BYTES) throw new Error(`the server sent more than ${MAX_LIST_BYTES} bytes of headers`);
      fields[field[0]] = field[1];
    }
    return fields;
  }

  /** Undefined: it was no field but a new size of the table. */
  #field(): HeaderField | undefined {
    const first = this.#block[this.#at] ?? 0;
    if (first >= 0x80) return this.#indexed(this.#integer(7));
    if (first >= 0x40) {
      const field = this.#literal(6);
      this.#remember(field);
      return field;
    }
    if (first >= 0x20) {
      this.#resize(this.#integer(5));
      return undefined;
    }
    return this.#literal(4);
  }

  #literal(prefixBits: number): HeaderField {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#text() : this.#indexed(index)[0];
    return [name, this.#text()];
  }

  #indexed(index: number): HeaderField {
    const field = STATIC_HEADERS[index - 1] ?? this.#table[index - 1 - STATIC_HEADERS.length];
    if (field === undefined) throw new Error(`the server named the header ${index}, which there is not`);
    return field;
  }

  #text(): string {
    const isHuffman = (this.#block[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const start = this.#at;
    const end = start + length;
    if (end > this.#block.length) throw new Error('the server sent a header beyond its block');
    this.#at = end;
    const text = isHuffman ? decodeHuffman(this.#block, start, end) : this.#block.toString('latin1', start, end);
    if (text === undefined) throw new Error('the server sent a header that cannot be decoded');
    return text;
  }

  #integer(prefixBits: number): number {
    const max = 2 ** prefixBits - 1;
    let value = (this.#block[this.#at] ?? 0) & max;
    this.#at += 1;
    if (value < max) return value;
    // Four more bytes are 28 bits: nothing here is longer.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#block[this.#at];
      if (byte === undefined) throw new Error('the server sent a number beyond its block');
      this.#at += 1;
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error('the server sent a number that is too large');
  }

  #remember(field: HeaderField): void {
    this.#table.unshift(field);
    this.#tableBytes += sizeOf(field);
    this.#evict();
  }

  #resize(bytes: number): void {
    if (bytes > TABLE_BYTES) throw new Error(`the server wants a header table of ${bytes} bytes`);
    this.#maxTableBytes = bytes;
    this.#evict();
  }

  #evict(): void {
    while (this.#tableBytes > this.#maxTableBytes) {
      const oldest = this.#table.pop();
      if (oldest === undefined) return;
      this.#tableBytes -= sizeOf(oldest);
    }
  }
}

function sizeOf([name, value]: HeaderField): number {
  return name.length + value.length + FIELD_BYTES;
}
