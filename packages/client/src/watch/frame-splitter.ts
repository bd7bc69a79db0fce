/** Takes the frames of a watch out of its bytes: JSON objects, with or without blanks between them. */

import { NEWLINE, OPEN_BRACE, skipBlanks } from '../json/json-byte.ts';
import { TornTail } from '../json/torn-tail.ts';
import { ValueReader } from '../json/value-reader.ts';
import { TransportError } from '../transport/transport-error.ts';

/** The largest frame, as in client-go: far above what etcd stores, far below what would hurt. */
export const MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

const NO_BYTES = new Uint8Array(0);

/** Give it bytes with `push`, take frames with `next` until there are none, and so on; then `end`. */
export class FrameSplitter {
  readonly #reader = new ValueReader(MAX_FRAME_BYTES);
  readonly #tail = new TornTail();
  #chunk: Uint8Array = NO_BYTES;
  #at = 0;
  #isTorn = false;
  /** A frame was begun, and the tail has it. */
  #isKept = false;

  /** A frame was begun, and its beginning has been read over. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** Only when `next` has given `undefined`: what is left of the bytes before would be lost. */
  push(chunk: Uint8Array): void {
    this.#chunk = this.#tail.join(chunk);
    this.#isKept = false;
    this.#at = 0;
  }

  /**
   * The bytes of the next frame, valid until the next call; `undefined` when it takes more bytes. Throws `PROTOCOL` for
   * anything that is no object, and for a frame that is too large.
   */
  next(): Uint8Array | undefined {
    if (!this.#isTorn) {
      // By value and not by line: some servers and proxies leave the newline out.
      this.#at = skipBlanks(this.#chunk, this.#at);
      const byte = this.#chunk[this.#at];
      if (byte === undefined) return undefined;
      if (byte !== OPEN_BRACE) {
        const shown = JSON.stringify(String.fromCharCode(byte));
        throw new TransportError('PROTOCOL', `this is no watch: a frame begins with ${shown}`);
      }
      this.#isKept = this.#tail.keep(this.#chunk, this.#at);
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
   * torn. Servers write a frame on a line, and lines can be decoded together; who finds that they are no frames asks `next`.
   */
  lines(): Uint8Array | undefined {
    if (this.#isTorn) return undefined;
    // Behind a frame that was torn its newline is left.
    this.#at = skipBlanks(this.#chunk, this.#at);
    const end = this.#chunk.lastIndexOf(NEWLINE);
    return end <= this.#at || end - this.#at > MAX_FRAME_BYTES ? undefined : this.#chunk.subarray(this.#at, end);
  }

  /** The lines have been decoded. */
  skip(lines: Uint8Array): void {
    this.#at += lines.length + 1;
  }

  /** There are no more bytes. Throws `CLOSED` when they end in the middle of a frame. */
  end(): void {
    if (this.#isTorn || this.#isKept) throw new TransportError('CLOSED', 'the watch was cut in the middle of an event');
  }
}
