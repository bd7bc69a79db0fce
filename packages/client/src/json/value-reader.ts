/** Takes JSON values out of bytes that arrive in pieces; copies only values that span several pieces. */

import { TransportError } from '../transport/transport-error.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { ValueScanner } from './value-scanner.ts';

const EMPTY = new Uint8Array(0);

/** Reads one value after the other. */
export class ValueReader {
  readonly #scanner = new ValueScanner();
  readonly #torn = new ByteBuffer();
  readonly #maxBytes: number;
  #value: Uint8Array = EMPTY;
  #isWhole = true;

  /** A larger value fails with `PROTOCOL`: a value that never ends must not fill the memory. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The last value; valid until the next call of `read`, and no longer than the bytes it was read from. */
  get value(): Uint8Array {
    return this.#value;
  }

  /**
   * Reads on from `from`. Gives the index behind the value, or -1 when it goes on in the bytes to come. Throws `PROTOCOL` at the
   * first byte that JSON does not allow.
   */
  read(bytes: Uint8Array, from: number): number {
    if (this.#isWhole) this.#torn.clear();
    const end = this.#scanner.scan(bytes, from);
    this.#isWhole = end >= 0;
    const piece = bytes.subarray(from, this.#isWhole ? end : bytes.length);
    const size = this.#torn.length + piece.length;
    if (size > this.#maxBytes) {
      throw new TransportError('PROTOCOL', `a JSON value is larger than maxObjectBytes (${this.#maxBytes})`);
    }
    if (this.#isWhole && this.#torn.length === 0) {
      this.#value = piece;
      return end;
    }
    this.#torn.append(piece);
    if (this.#isWhole) this.#value = this.#torn.bytes;
    return end;
  }
}
