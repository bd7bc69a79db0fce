/** JSON from bytes. */

import { CLOSE_BRACKET, COMMA, NEWLINE, OPEN_BRACKET } from './json-byte.ts';

/** Fatal: invalid UTF-8 is damage, and must not become an object with replacement characters. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses bytes as JSON. The result does not keep the bytes or their text alive: `JSON.parse` copies each string. Throws a
 * SyntaxError or a TypeError.
 */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/**
 * Parses values of one line each; `undefined` when some are not. A newline within a value becomes a misplaced comma, and the
 * values are counted as well.
 */
export function parseJsonLines(bytes: Uint8Array): unknown[] | undefined {
  const array = asArray(bytes);
  const newlines = putCommas(array);
  const text = utf8.decode(array);
  try {
    const values: unknown[] = JSON.parse(text);
    return values.length === newlines + 1 ? values : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces each newline by a comma, and counts them. */
function putCommas(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    bytes[at] = COMMA;
    count += 1;
  }
  return count;
}

/** Parses values with commas between them. Throws when the last one is not whole. */
export function parseJsonRun(bytes: Uint8Array): unknown[] {
  const values: unknown[] = JSON.parse(utf8.decode(asArray(bytes)));
  return values;
}

/** Memory for longer runs, which are rare, is not kept. */
const KEPT_BYTES = 1024 * 1024;

let kept = new Uint8Array(0);

/** A copy with brackets around it, valid until the next call. Adding brackets to the text would copy all of it once more. */
function asArray(bytes: Uint8Array): Uint8Array {
  const size = bytes.length + 2;
  if (size > kept.length && size <= KEPT_BYTES) kept = new Uint8Array(Math.min(2 * size, KEPT_BYTES));
  const array = size <= kept.length ? kept.subarray(0, size) : new Uint8Array(size);
  array[0] = OPEN_BRACKET;
  array.set(bytes, 1);
  array[size - 1] = CLOSE_BRACKET;
  return array;
}
