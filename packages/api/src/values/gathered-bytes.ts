/** Bytes that arrive in chunks, and what is kept of them. */

/** Smaller chunks are copied together: an array buffer view of its own takes some 100 bytes, so that a body of single bytes would take 100 times its size. */
const SMALL_BYTES = 1024;
const BLOCK_BYTES_MAX = 64 * 1024;

/** Keeps chunks until all of them are there. It takes a few times their bytes at most, however the sender cuts them. */
export class GatheredBytes {
  readonly #chunks: Uint8Array[] = [];
  #block: Uint8Array = new Uint8Array(0);
  /** What of the block is in chunks already, and what is filled. */
  #taken = 0;
  #filled = 0;
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** The next chunk. A large one is kept as it is, and must not be changed any more. */
  add(chunk: Uint8Array): void {
    const isFirst = this.#length === 0;
    this.#length += chunk.length;
    if (isFirst || chunk.length >= SMALL_BYTES) {
      this.#seal();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#filled + chunk.length > this.#block.length) {
      this.#seal();
      this.#block = new Uint8Array(Math.min(BLOCK_BYTES_MAX, Math.max(SMALL_BYTES, this.#length)));
      this.#taken = 0;
      this.#filled = 0;
    }
    this.#block.set(chunk, this.#filled);
    this.#filled += chunk.length;
  }

  /** All bytes, in order. */
  chunks(): readonly Uint8Array[] {
    this.#seal();
    return this.#chunks;
  }

  /** All bytes in one piece. A body that came at once is not copied. */
  whole(): Uint8Array {
    const chunks = this.chunks();
    const [first] = chunks;
    if (first !== undefined && chunks.length === 1) return first;
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  #seal(): void {
    if (this.#filled === this.#taken) return;
    this.#chunks.push(this.#block.subarray(this.#taken, this.#filled));
    this.#taken = this.#filled;
  }
}
