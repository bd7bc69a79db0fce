/** JSON from bytes. */

import { CLOSE_BRACKET, COMMA, NEWLINE, OPEN_BRACKET } from './json-byte.ts';

/** Fatal: bytes that are no UTF-8 are damage, and must not become an object with question marks in it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses bytes as JSON. The result keeps neither the bytes nor a text of them: `JSON.parse` copies each string. Throws a
 * SyntaxError or a TypeError.
 */
export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/**
 * Parses values that stand on a line each; `undefined` when some do not. A newline within a value would become a comma
 * where none may stand, and what is parsed is counted besides.
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

/** Puts a comma for each newline, and counts them. */
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

/** Longer runs are rare, and memory for one is not kept for the next. */
const KEPT_BYTES = 1024 * 1024;

let kept = new Uint8Array(0);

/** A copy with brackets around it, until the next call. As texts, brackets would cost `JSON.parse` a copy of all of it. */
function asArray(bytes: Uint8Array): Uint8Array {
  const size = bytes.length + 2;
  if (size > kept.length && size <= KEPT_BYTES) kept = new Uint8Array(Math.min(2 * size, KEPT_BYTES));
  const array = size <= kept.length ? kept.subarray(0, size) : new Uint8Array(size);
  array[0] = OPEN_BRACKET;
  array.set(bytes, 1);
  array[size - 1] = CLOSE_BRACKET;
  return array;
}
