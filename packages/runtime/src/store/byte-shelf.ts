/** Keeps many small pieces of bytes in few large buffers: a buffer of its own costs some 200 bytes beyond its content. */

/** A piece: where it is. It may be moved; its content never changes. */
export interface ShelfSlot {
  board: Uint8Array;
  offset: number;
  readonly length: number;
}

/** The size of a board. Larger pieces get a board of their own. */
const BOARD_BYTES = 256 * 1024;

/** A larger share of dead bytes makes `compact` worth its while. */
const DEAD_SHARE = 0.1;

/** Below this a few dead bytes are not worth a move. */
const SMALL_BYTES = 4 * BOARD_BYTES;

/**
 * Appends only. Pieces that nobody adopts, such as those of a list that failed, count as dead. The garbage collector frees a
 * board when no slot points to it, so a slot that someone still holds stays readable after `drop` and `compact`.
 */
export class ByteShelf {
  #board: Uint8Array = new Uint8Array(0);
  #used = 0;
  /** The boards since the last `compact`. Weak: a set would keep boards that no slot points to. */
  #boards = new WeakSet<Uint8Array>();
  #placed = 0;
  #live = 0;

  /** Bytes of adopted pieces, and the others on the same boards. */
  get bytes(): { readonly live: number; readonly dead: number } {
    return { live: this.#live, dead: this.#placed - this.#live };
  }

  /** Makes room for a piece of `slot.length` bytes; the caller then writes them at `slot.offset` of `slot.board`. */
  place(slot: ShelfSlot): void {
    if (this.#board.length - this.#used < slot.length) {
      this.#board = new Uint8Array(Math.max(BOARD_BYTES, slot.length));
      this.#boards.add(this.#board);
      this.#used = 0;
    }
    slot.board = this.#board;
    slot.offset = this.#used;
    this.#used += slot.length;
    this.#placed += slot.length;
  }

  read({ board, offset, length }: ShelfSlot): Uint8Array {
    return board.subarray(offset, offset + length);
  }

  /** The piece is in use from now on. */
  adopt(slot: ShelfSlot): void {
    // One from before the last `compact` would keep an old board, with everything on it, alive.
    if (!this.#boards.has(slot.board)) this.#move(slot);
    this.#live += slot.length;
  }

  /** The piece is no longer in use. */
  drop(slot: ShelfSlot): void {
    this.#live -= slot.length;
  }

  /** Are there enough dead bytes to move the others together? */
  get isWasteful(): boolean {
    return this.#placed > SMALL_BYTES && this.#placed - this.#live > DEAD_SHARE * this.#placed;
  }

  /** Moves the adopted slots, which the caller knows, onto new boards. */
  compact(slots: Iterable<ShelfSlot>): void {
    this.#board = new Uint8Array(0);
    this.#used = 0;
    this.#boards = new WeakSet();
    this.#placed = 0;
    for (const slot of slots) this.#move(slot);
  }

  #move(slot: ShelfSlot): void {
    const bytes = this.read(slot);
    this.place(slot);
    slot.board.set(bytes, slot.offset);
  }
}
