/** Keeps the incomplete value at the end of a chunk, to decode it together with the next chunk. */

import { CLOSE_BRACE, isBlank, OPEN_BRACE } from './json-byte.ts';
import { ReusedBytes } from './reused-bytes.ts';

/** A tail that is a larger part of its chunk is kept only a few times in a row: with tiny chunks it would be copied for each. */
const SMALL_PART = 4;
const LARGE_PARTS_MAX = 3;

/**
 * Scanning an incomplete value byte by byte costs more than everything else done with a list. Usually its last bytes show that it is
 * incomplete, and no scan is needed.
 */
export class TornTail {
  #tail: Uint8Array | undefined;
  readonly #memory = new ReusedBytes();
  #largeParts = 0;

  /** Keeps the bytes from `at` on, if they certainly contain no complete value. */
  keep(bytes: Uint8Array, at: number): boolean {
    const length = bytes.length - at;
    const isSmall = length * SMALL_PART <= bytes.length;
    if (!isSmall && this.#largeParts >= LARGE_PARTS_MAX) return false;
    if (mayHoldWhole(bytes, at)) return false;
    this.#largeParts = isSmall ? 0 : this.#largeParts + 1;
    this.#tail = bytes.slice(at);
    return true;
  }

  /** The kept bytes followed by these; valid until the next call. */
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

/** May a value end at the last byte, or another begin right behind one? A string can look so, too. */
function mayHoldWhole(bytes: Uint8Array, from: number): boolean {
  for (let at = bytes.indexOf(CLOSE_BRACE, from); at >= 0; at = bytes.indexOf(CLOSE_BRACE, at + 1)) {
    let next = at + 1;
    while (isBlank(bytes[next])) next += 1;
    if (next >= bytes.length || bytes[next] === OPEN_BRACE) return true;
  }
  return false;
}
