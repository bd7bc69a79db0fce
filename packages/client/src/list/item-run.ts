/** Guesses where a run of whole items ends, without looking at all their bytes. */

import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, isBlank } from '../json/json-byte.ts';

/** How far from the end of the bytes a guess is looked for: items that are larger than this do not come in runs anyway. */
const FAR = 16 * 1024;

/** The first key of an item is not longer than this; an item that begins otherwise is not guessed at. */
const LONGEST_START = 64;

/** After so many wrong guesses of a kind in a list there are no more: each costs the parsing of a run for nothing. */
const WRONG_MAX = 3;

/** A way to guess: the bytes end with the last item, or a separator stands behind it. */
export type Guess = 'end' | 'separator';

/**
 * Servers write all items of a list alike, so that `},{"metadata":` is nearly always where one item ends and the next
 * begins, and many end what they write with an item. Nearly: items that hold such objects themselves have it too. Whoever
 * guesses must find out whether it was right; parsing the run as an array does: JSON that ends where an array may end has
 * ended a whole item.
 */
export class ItemRun {
  #separator: Uint8Array | undefined;
  readonly #wrong = { end: 0, separator: 0 };

  /** Looks at the item that begins at `from` to know how the others begin. It need not be here to its end. */
  learn(bytes: Uint8Array, from: number): void {
    if (this.#separator !== undefined) return;
    const start = bytes.subarray(from, from + LONGEST_START);
    const colon = start.indexOf(COLON);
    if (colon >= 0) this.#separator = Uint8Array.of(CLOSE_BRACE, COMMA, ...start.subarray(0, colon + 1));
  }

  /** Where the run of items from `from` on ends; -1 when there is nothing to go by, or such guesses are mostly wrong. */
  guess(way: Guess, bytes: Uint8Array, from: number): number {
    if (this.#wrong[way] >= WRONG_MAX) return -1;
    const end = way === 'end' ? endOfItems(bytes) : this.#lastSeparator(bytes, from);
    return end > from ? end : -1;
  }

  /** The last guess was wrong. */
  wrong(way: Guess): void {
    this.#wrong[way] += 1;
  }

  #lastSeparator(bytes: Uint8Array, from: number): number {
    const separator = this.#separator;
    if (separator === undefined) return -1;
    const first = Math.max(from, bytes.length - FAR);
    let at = bytes.length - separator.length;
    while (at > first) {
      at = bytes.lastIndexOf(CLOSE_BRACE, at);
      if (at <= first) return -1;
      if (bytes[at + 1] === COMMA && startsWith(bytes, at, separator)) return at + 1;
      at -= 1;
    }
    return -1;
  }
}

/** Where the last item ends when the bytes end with it, or with the end of a list behind it; else -1. */
function endOfItems(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > 0 && isBlank(bytes[at])) at -= 1;
  if (bytes[at] !== CLOSE_BRACE) return -1;
  return bytes[at - 1] === CLOSE_BRACKET && bytes[at - 2] === CLOSE_BRACE ? at - 1 : at + 1;
}

function startsWith(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  for (let i = 0; i < start.length; i += 1) if (bytes[at + i] !== start[i]) return false;
  return true;
}
