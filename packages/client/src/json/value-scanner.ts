/** Finds where a JSON value ends, in bytes that arrive in pieces, and checks its syntax on the way. */

import { TransportError } from '../transport/transport-error.ts';
import { BACKSLASH, QUOTE } from './json-byte.ts';
import {
  AFTER_VALUE,
  CLOSES_OBJECT,
  ENDS_NUMBER,
  ENDS_VALUE,
  expectedIn,
  FIRST_ACTION,
  FIRST_ITEM,
  FIRST_KEY,
  GRAMMAR,
  IN_STRING,
  IS_INVALID,
  KEY,
  OPENS_ARRAY,
  OPENS_OBJECT,
  SEPARATES,
  VALUE,
} from './json-grammar.ts';

/** As in Go's encoding/json. */
const MAX_DEPTH = 10_000;

/** Bytes below are control characters, which strings must escape. */
const FIRST_PRINTABLE = 0x20;

/** Is the byte one that does not simply belong to a string: a quote, a backslash or a control character? */
const ENDS_RUN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === QUOTE || byte === BACKSLASH || byte < FIRST_PRINTABLE ? 1 : 0,
);

const IN_ARRAY = 0;
const IN_OBJECT = 1;

/**
 * Checks the grammar, so that a value which can no longer become valid fails at the byte that shows it. A scanner that only
 * counts brackets takes a value whose end is missing, and all that follows, for one endless value. That strings are UTF-8 is
 * left to the decoder.
 */
export class ValueScanner {
  #state = VALUE;
  #depth = 0;
  /** The kind of each open bracket. */
  #brackets: Uint8Array = new Uint8Array(64);

  /**
   * Reads on in `bytes` from `from`, where the value begins or goes on. Gives the index behind its end, and is then ready for
   * another value; or -1 when it does not end in these bytes. A number ends at the blank, comma or bracket behind it.
   * Throws `PROTOCOL`.
   */
  scan(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let brackets = this.#brackets;
    let state = this.#state;
    let depth = this.#depth;
    let at = from;
    // One function with its state in locals: a call for each string doubles the cost of a list (measured).
    while (at < length) {
      if (state >> 1 === IN_STRING >> 1) {
        // Four at a time: most bytes of a list are inside strings, and one by one they cost twice as much.
        while (at + 3 < length) {
          const first = ENDS_RUN[bytes[at] ?? 0] ?? 0;
          const second = ENDS_RUN[bytes[at + 1] ?? 0] ?? 0;
          const third = ENDS_RUN[bytes[at + 2] ?? 0] ?? 0;
          const fourth = ENDS_RUN[bytes[at + 3] ?? 0] ?? 0;
          if ((first | second | third | fourth) !== 0) break;
          at += 4;
        }
        while (at < length && ENDS_RUN[bytes[at] ?? 0] === 0) at += 1;
        if (at === length) break;
      }
      const next = GRAMMAR[(state << 8) | (bytes[at] ?? 0)] ?? 0;
      at += 1;
      if (next < FIRST_ACTION) {
        state = next;
      } else if (next === ENDS_VALUE) {
        if (depth === 0) return this.#end(at);
        state = AFTER_VALUE;
      } else if (next === SEPARATES) {
        state = brackets[depth] === IN_OBJECT ? KEY : VALUE;
      } else if (next === OPENS_OBJECT || next === OPENS_ARRAY) {
        depth += 1;
        if (depth >= brackets.length) brackets = this.#deeper(depth);
        brackets[depth] = next === OPENS_OBJECT ? IN_OBJECT : IN_ARRAY;
        state = next === OPENS_OBJECT ? FIRST_KEY : FIRST_ITEM;
      } else if (next === ENDS_NUMBER) {
        at -= 1;
        if (depth === 0) return this.#end(at);
        state = AFTER_VALUE;
      } else if (next !== IS_INVALID && brackets[depth] === (next === CLOSES_OBJECT ? IN_OBJECT : IN_ARRAY)) {
        depth -= 1;
        if (depth === 0) return this.#end(at);
        state = AFTER_VALUE;
      } else {
        throw new TransportError('PROTOCOL', `not JSON: ${shown(bytes[at - 1])} in place of ${expectedIn(state)}`);
      }
    }
    this.#state = state;
    this.#depth = depth;
    return -1;
  }

  #end(at: number): number {
    this.#state = VALUE;
    this.#depth = 0;
    return at;
  }

  #deeper(depth: number): Uint8Array {
    if (depth > MAX_DEPTH) throw new TransportError('PROTOCOL', `JSON is nested deeper than ${MAX_DEPTH} levels`);
    const brackets = new Uint8Array(Math.min(2 * depth, MAX_DEPTH + 1));
    brackets.set(this.#brackets);
    this.#brackets = brackets;
    return brackets;
  }
}

function shown(byte = 0): string {
  return byte > 0x20 && byte < 0x7f
    ? JSON.stringify(String.fromCharCode(byte))
    : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
