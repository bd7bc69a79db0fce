/** Splits bytes into lines of text. */

import { ByteBuffer } from '../json/byte-buffer.ts';
import { NEWLINE } from '../json/json-byte.ts';

const CARRIAGE_RETURN = 0x0d;

/** Keeps at most one unfinished line. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #decoder = new TextDecoder();
  readonly #line = new ByteBuffer();

  /** A longer line is cut into several. At least 4, so that a character fits. */
  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that end in this chunk, without their ends. The chunk is not kept. */
  push(chunk: Uint8Array): readonly string[] {
    const lines: string[] = [];
    let from = 0;
    let newline = chunk.indexOf(NEWLINE);
    while (from < chunk.length) {
      const end = newline === -1 ? chunk.length : newline;
      const room = this.#maxLineBytes - this.#line.length;
      if (end - from > room) {
        this.#line.append(chunk.subarray(from, from + room));
        lines.push(this.#takeWhole());
        from += room;
      } else {
        this.#line.append(chunk.subarray(from, end));
        if (newline !== -1) lines.push(this.#takeLine());
        from = end + 1;
        newline = chunk.indexOf(NEWLINE, from);
      }
    }
    return lines;
  }

  /** What stands behind the last end of a line; undefined when that is nothing. */
  end(): string | undefined {
    return this.#line.length === 0 ? undefined : this.#take(this.#line.length);
  }

  #takeLine(): string {
    const { bytes } = this.#line;
    return this.#take(bytes.length - (bytes.at(-1) === CARRIAGE_RETURN ? 1 : 0));
  }

  /** The first part of a line that is too long. The beginning of a character at its end stays. */
  #takeWhole(): string {
    const { bytes } = this.#line;
    const end = wholeEnd(bytes);
    const tail = bytes.slice(end);
    const text = this.#take(end);
    this.#line.append(tail);
    return text;
  }

  #take(end: number): string {
    const text = this.#decoder.decode(this.#line.bytes.subarray(0, end));
    this.#line.clear();
    return text;
  }
}

/** The length without the beginning of a UTF-8 character whose other bytes have not come yet. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return sizeOf(byte) > back ? bytes.length - back : bytes.length;
    if (byte < 0x80) return bytes.length;
  }
  return bytes.length;
}

/** How many bytes a character has that begins with this one. */
function sizeOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
