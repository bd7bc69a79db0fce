/** A growing buffer of bytes. */

const FIRST_CAPACITY = 1024;

/** Grows by doubling, and keeps its memory for the next use. */
export class ByteBuffer {
  #memory: Uint8Array = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The content; valid until the next call of `append` or `clear`. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#memory.length) {
      const grown = new Uint8Array(Math.max(needed, this.#memory.length * 2, FIRST_CAPACITY));
      grown.set(this.bytes);
      this.#memory = grown;
    }
    this.#memory.set(bytes, this.#length);
    this.#length = needed;
  }

  clear(): void {
    this.#length = 0;
  }
}
