/** Guesses where a run of complete items ends, without reading all bytes. */

import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, isBlank } from '../json/json-byte.ts';

/** How far from the end a guess is searched for. Larger items do not come in runs. */
const FAR = 16 * 1024;

/** The first key of an item is not longer than this; an item that begins otherwise is not guessed at. */
const LONGEST_START = 64;

/** After this many wrong guesses of a kind in a list, no more are made: each costs a useless parse. */
const WRONG_MAX = 3;

/** How to guess: the last item ends with the chunk, or a separator follows it. */
export type Guess = 'end' | 'separator';

/**
 * Servers write all items alike, so `},{"metadata":` is nearly always the border between two items; many servers also end their
 * writes with an item. Items that contain such objects have the separator too, so the guess must be verified: if the run
 * parses as an array, it ended with a complete item.
 */
export class ItemRun {
  #separator: Uint8Array | undefined;
  readonly #wrong = { end: 0, separator: 0 };

  /** Learns from the item at `from`, complete or not, how items begin. */
  learn(bytes: Uint8Array, from: number): void {
    if (this.#separator !== undefined) return;
    const start = bytes.subarray(from, from + LONGEST_START);
    const colon = start.indexOf(COLON);
    if (colon >= 0) this.#separator = Uint8Array.of(CLOSE_BRACE, COMMA, ...start.subarray(0, colon + 1));
  }

  /** Where the run of items from `from` on ends; -1 for no guess, or when such guesses are mostly wrong. */
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

/** The end of the last item if the chunk ends with it or with the end of the list; else -1. */
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
