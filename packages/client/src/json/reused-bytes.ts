/** Memory that is used again and again. */

/** Memory that is so many times too large is not kept for what is asked for now: an idle watch must not hold what its start took. */
const FAR_TOO_LARGE = 8;

/** One piece of memory at a time: to touch new memory for each piece of a list costs more than all that is copied into it. */
export class ReusedBytes {
  #memory: Uint8Array = new Uint8Array(0);

  /** So many bytes, with anything in them. What was taken before is no longer valid. */
  take(size: number): Uint8Array {
    const kept = this.#memory.length;
    if (kept < size || kept > size * FAR_TOO_LARGE) this.#memory = new Uint8Array(size);
    return this.#memory.subarray(0, size);
  }
}
