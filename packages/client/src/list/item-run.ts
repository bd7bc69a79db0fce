/** Guesses where a run of whole items ends, without looking at all their bytes. */

import { CLOSE_BRACE, COLON, COMMA } from '../json/json-byte.ts';

/** How far from the end of the bytes a guess is looked for: items that are larger than this do not come in runs anyway. */
const FAR = 16 * 1024;

/** The first key of an item is not longer than this; an item that begins otherwise is not guessed at. */
const LONGEST_START = 64;

/** After so many wrong guesses in a list there are no more: each costs the parsing of a run for nothing. */
const WRONG_MAX = 3;

/**
 * Servers write all items of a list alike, so that `},{"metadata":` is nearly always where one item ends and the next
 * begins. Nearly: items that hold such objects themselves have it too. Whoever guesses must find out whether it was right;
 * parsing the run as an array does: JSON that ends where an array may end has ended a whole item.
 */
export class ItemRun {
  #separator: Uint8Array | undefined;
  #wrong = 0;

  /** Looks at an item to know how the others begin. */
  learn(item: Uint8Array): void {
    if (this.#separator !== undefined) return;
    const colon = item.subarray(0, LONGEST_START).indexOf(COLON);
    this.#separator = Uint8Array.of(CLOSE_BRACE, COMMA, ...item.subarray(0, colon + 1));
    if (colon < 0) this.#wrong = WRONG_MAX;
  }

  /** Is it known how items begin, and are guesses not mostly wrong? */
  get isLearned(): boolean {
    return this.#separator !== undefined && this.#wrong < WRONG_MAX;
  }

  /** Where the run of items from `from` on ends, by guess; -1 when there is nothing to go by. */
  guess(bytes: Uint8Array, from: number): number {
    const separator = this.#separator;
    if (separator === undefined || this.#wrong >= WRONG_MAX) return -1;
    const first = Math.max(from, bytes.length - FAR);
    let at = bytes.length - separator.length;
    while (at > first) {
      at = bytes.lastIndexOf(CLOSE_BRACE, at);
      if (at <= first) return -1;
      if (startsWith(bytes, at, separator)) return at + 1;
      at -= 1;
    }
    return -1;
  }

  /** The last guess was wrong. */
  wrong(): void {
    this.#wrong += 1;
  }
}

function startsWith(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  for (let i = 0; i < start.length; i += 1) if (bytes[at + i] !== start[i]) return false;
  return true;
}
