/** The beginning of a value whose rest has not come yet, kept to be decoded together with what follows. */

import { CLOSE_BRACE, isBlank, OPEN_BRACE } from './json-byte.ts';
import { ReusedBytes } from './reused-bytes.ts';

/** A tail that is a larger part of its bytes is kept only a few times in a row: in pieces of a few bytes it would be copied for each. */
const SMALL_PART = 4;
const LARGE_PARTS_MAX = 3;

/**
 * To look for the end of a torn value byte by byte costs more than all else that is done with a list. Most often it can be seen
 * at its end that it is not whole, and that is all that needs to be known.
 */
export class TornTail {
  #tail: Uint8Array | undefined;
  readonly #memory = new ReusedBytes();
  #largeParts = 0;

  /** Keeps the bytes from `at` on, if they are certainly no whole value, nor one with another behind it. */
  keep(bytes: Uint8Array, at: number): boolean {
    const length = bytes.length - at;
    const isSmall = length * SMALL_PART <= bytes.length;
    if (!isSmall && this.#largeParts >= LARGE_PARTS_MAX) return false;
    if (mayHoldWhole(bytes, at)) return false;
    this.#largeParts = isSmall ? 0 : this.#largeParts + 1;
    this.#tail = bytes.slice(at);
    return true;
  }

  /** What was kept, and these bytes behind it; valid until the next call. */
  join(bytes: Uint8Array): Uint8Array {
    const tail = this.#tail;
    if (tail === undefined) return bytes;
    this.#tail = undefined;
    const joined = this.#memory.take(tail.length + bytes.length);
    joined.set(tail);
    joined.set(bytes, tail.length);
    return joined;
  }
}

/** Does a value end with the last of the bytes, or another begin right behind one? Yes, too, when only a string looks so. */
function mayHoldWhole(bytes: Uint8Array, from: number): boolean {
  for (let at = bytes.indexOf(CLOSE_BRACE, from); at >= 0; at = bytes.indexOf(CLOSE_BRACE, at + 1)) {
    let next = at + 1;
    while (isBlank(bytes[next])) next += 1;
    if (next >= bytes.length || bytes[next] === OPEN_BRACE) return true;
  }
  return false;
}
