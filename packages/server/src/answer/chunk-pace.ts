/** Ends a chunk that takes long to make: between two chunks others have their turn of the event loop. */

/** Half of a slice of the gate for loop time. */
const LONG_MS = 1;
/** To look at the time costs a little: items take microseconds. */
const ITEMS_BETWEEN_LOOKS = 8;

/** The time that a chunk has taken so far. */
export class ChunkPace {
  #started = performance.now();
  #items = 0;

  /** A new chunk begins. */
  begin(): void {
    this.#started = performance.now();
    this.#items = 0;
  }

  /** Has the chunk taken long? Ask once for each item. */
  isLong(): boolean {
    this.#items += 1;
    return this.#items % ITEMS_BETWEEN_LOOKS === 0 && performance.now() - this.#started >= LONG_MS;
  }
}
