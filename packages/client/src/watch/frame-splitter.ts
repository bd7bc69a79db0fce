/** Splits the bytes of a watch into frames: JSON objects, with or without blanks between them. */

import { NEWLINE, OPEN_BRACE, skipBlanks } from '../json/json-byte.ts';
import { TornTail } from '../json/torn-tail.ts';
import { ValueReader } from '../json/value-reader.ts';
import { TransportError } from '../transport/transport-error.ts';

const NO_BYTES = new Uint8Array(0);

/** Call `push` with bytes, then `next` until it gives none, and so on; then `end`. */
export class FrameSplitter {
  readonly #reader: ValueReader;
  readonly #maxBytes: number;
  readonly #tail = new TornTail();
  #chunk: Uint8Array = NO_BYTES;
  #at = 0;
  #isTorn = false;
  /** The tail has the beginning of a frame. */
  #isKept = false;

  /** A larger frame fails with `PROTOCOL`. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#reader = new ValueReader(maxBytes);
  }

  /** The reader has the beginning of a frame. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** Only after `next` has given `undefined`: unread bytes would be lost. */
  push(chunk: Uint8Array): void {
    this.#chunk = this.#tail.join(chunk);
    this.#isKept = false;
    this.#at = 0;
  }

  /**
   * The bytes of the next frame, valid until the next call; `undefined` when it takes more bytes. Throws `PROTOCOL` at the
   * first byte that no JSON object has, and for a frame that is too large.
   */
  next(): Uint8Array | undefined {
    if (!this.#isTorn) {
      // By value and not by line: some servers and proxies leave the newline out.
      this.#at = skipBlanks(this.#chunk, this.#at);
      const byte = this.#chunk[this.#at];
      if (byte === undefined) return undefined;
      if (byte !== OPEN_BRACE) {
        const shown = JSON.stringify(String.fromCharCode(byte));
        throw new TransportError('PROTOCOL', `not a watch: a frame begins with ${shown}`);
      }
      // Behind a newline the frame must be scanned: if it was cut within a string, the newline shows it.
      this.#isKept = this.#chunk.indexOf(NEWLINE, this.#at) < 0 && this.#tail.keep(this.#chunk, this.#at);
      if (this.#isKept) {
        this.#at = this.#chunk.length;
        return undefined;
      }
    }
    const end = this.#reader.read(this.#chunk, this.#at);
    this.#isTorn = end < 0;
    this.#at = this.#isTorn ? this.#chunk.length : end;
    return this.#isTorn ? undefined : this.#reader.value;
  }

  /**
   * The whole lines from here on, without the newline behind the last one; `undefined` when there are none, or a frame is
   * torn. Servers write one frame per line, and lines can be parsed together; when that fails, `next` finds out why.
   */
  lines(): Uint8Array | undefined {
    if (this.#isTorn) return undefined;
    // The newline behind a torn frame is still here.
    this.#at = skipBlanks(this.#chunk, this.#at);
    const end = this.#chunk.lastIndexOf(NEWLINE);
    return end <= this.#at || end - this.#at > this.#maxBytes ? undefined : this.#chunk.subarray(this.#at, end);
  }

  /** Continues behind lines that have been decoded. */
  skip(lines: Uint8Array): void {
    this.#at += lines.length + 1;
  }

  /** There are no more bytes. Throws `CLOSED` when they end in the middle of a frame. */
  end(): void {
    if (this.#isTorn || this.#isKept) throw new TransportError('CLOSED', 'the watch was cut in the middle of an event');
  }
}
