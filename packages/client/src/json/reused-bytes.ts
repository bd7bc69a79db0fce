/** One buffer that is used again and again. */

/** A buffer that is this many times too large is dropped: an idle watch must not keep the memory of its start. */
const FAR_TOO_LARGE = 8;

/** Touching new memory for each chunk of a list costs more than copying into it. */
export class ReusedBytes {
  #memory: Uint8Array = new Uint8Array(0);

  /** This many bytes, not cleared. What was taken before is no longer valid. */
  take(size: number): Uint8Array {
    const kept = this.#memory.length;
    if (kept < size || kept > size * FAR_TOO_LARGE) this.#memory = new Uint8Array(size);
    return this.#memory.subarray(0, size);
  }
}
