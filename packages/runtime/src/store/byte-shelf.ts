/** Many small pieces of bytes in few large ones: a buffer of its own costs some 200 bytes beyond its content. */

/** A piece. What it points to never changes; it may be moved. */
export interface ShelfSlot {
  board: Uint8Array;
  offset: number;
  readonly length: number;
}

/** The size of a board. Larger pieces get a board of their own. */
const BOARD_BYTES = 256 * 1024;

/** Above this share of dead bytes the living are moved together. A tenth: the rest of the budget of 1.3 is for keys. */
const DEAD_SHARE = 0.1;

/** Below this a few dead bytes are not worth a move. */
const SMALL_BYTES = 4 * BOARD_BYTES;

/** Appends only. A board goes when no slot points to it, so a slot that someone still holds stays readable after `drop`. */
export class ByteShelf {
  #board: Uint8Array = new Uint8Array(0);
  #used = 0;
  #live = 0;
  #dead = 0;

  /** Bytes that are pointed to, and those that no longer are. */
  get bytes(): { readonly live: number; readonly dead: number } {
    return { live: this.#live, dead: this.#dead };
  }

  put(bytes: Uint8Array): ShelfSlot {
    const slot: ShelfSlot = { board: this.#board, offset: 0, length: bytes.length };
    this.#place(slot, bytes);
    this.#live += bytes.length;
    return slot;
  }

  read({ board, offset, length }: ShelfSlot): Uint8Array {
    return board.subarray(offset, offset + length);
  }

  drop(slot: ShelfSlot): void {
    this.#live -= slot.length;
    this.#dead += slot.length;
  }

  /** Are there enough dead bytes to make room? */
  get wasteful(): boolean {
    return this.#dead > DEAD_SHARE * (this.#live + this.#dead) && this.#live + this.#dead > SMALL_BYTES;
  }

  /** Moves the living slots, which the caller knows, onto new boards; the old ones go as they empty. */
  compact(slots: Iterable<ShelfSlot>): void {
    this.#board = new Uint8Array(0);
    this.#used = 0;
    this.#dead = 0;
    for (const slot of slots) this.#place(slot, this.read(slot));
  }

  #place(slot: ShelfSlot, bytes: Uint8Array): void {
    if (this.#board.length - this.#used < bytes.length) {
      this.#board = new Uint8Array(Math.max(BOARD_BYTES, bytes.length));
      this.#used = 0;
    }
    this.#board.set(bytes, this.#used);
    slot.board = this.#board;
    slot.offset = this.#used;
    this.#used += bytes.length;
  }
}
