/** Finds where a JSON value ends, in bytes that come in pieces, without decoding it. */

import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, isBlank, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-byte.ts';

/**
 * How far into a string every byte is looked at, before the engine's own search takes over: a call of it costs as much as
 * some thirty bytes of a loop, and most strings are shorter.
 */
const NEAR = 32;

/**
 * Counts brackets and skips strings: whoever decodes the value finds out whether it is well formed. What is not is never
 * taken for shorter than its brackets say.
 */
export class ValueScanner {
  #depth = 0;
  #inString = false;
  /** The piece before ended in a backslash: the next byte means nothing. */
  #escaped = false;

  /**
   * Reads on in `bytes` from `from`, where the value begins or goes on. Gives the index behind its end, and is then ready for
   * another value; or -1 when it does not end in these bytes. A number or a word ends at whatever cannot belong to it.
   */
  scan(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    if (from >= length) return -1;
    let depth = this.#depth;
    let inString = this.#inString;
    let at = this.#escaped ? from + 1 : from;
    let end = -1;
    // One function with its state in locals: a call for each string doubles the cost of a list (measured).
    while (at < length) {
      if (inString) {
        const near = Math.min(length, at + NEAR);
        while (at < near) {
          const byte = bytes[at];
          at += 1;
          if (byte === QUOTE) {
            inString = false;
            break;
          }
          if (byte === BACKSLASH) at += 1;
        }
        if (inString && at < length) {
          const quote = bytes.indexOf(QUOTE, at);
          const stop = quote < 0 ? length : quote;
          const isEscaped = backslashes(bytes, at, stop) % 2 === 1;
          // Behind an escaped quote the loop goes on, for the next is near: JSON within JSON has one every few bytes.
          inString = quote < 0 || isEscaped;
          at = quote < 0 && !isEscaped ? length : stop + 1;
        }
        if (!inString && depth === 0) {
          end = at;
          break;
        }
        continue;
      }
      const byte = bytes[at];
      at += 1;
      if (byte === QUOTE) {
        inString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1;
        if (depth <= 0) {
          end = depth === 0 ? at : at - 1;
          depth = 0;
          break;
        }
      } else if (depth === 0 && (byte === COMMA || isBlank(byte))) {
        end = at - 1;
        break;
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = at > length;
    return end;
  }
}

/** How many backslashes stand right before `end`; none before `from` is looked at. */
function backslashes(bytes: Uint8Array, from: number, end: number): number {
  let first = end;
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
  return end - first;
}
