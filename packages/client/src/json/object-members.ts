/** Finds the members of a JSON object without decoding them. */

import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE, skipBlanks } from './json-byte.ts';
import { parseJsonBytes } from './parse-json.ts';
import { ValueScanner } from './value-scanner.ts';

/**
 * The bytes of each member's value, by its key, in the memory of `json`. Throws a SyntaxError when that is no whole object;
 * the values themselves are not looked into.
 */
export function objectMembers(json: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const members = new Map<string, Uint8Array>();
  const scanner = new ValueScanner();
  let at = skipBlanks(json, expectByte(json, 0, OPEN_BRACE));
  if (json[at] === CLOSE_BRACE) return members;
  for (;;) {
    if (json[at] !== QUOTE) throw new SyntaxError('a key was expected');
    const keyEnd = scanner.scan(json, at);
    const key = String(parseJsonBytes(json.subarray(at, keyEnd)));
    const start = skipBlanks(json, expectByte(json, keyEnd, COLON));
    const end = scanner.scan(json, start);
    if (end <= start) throw new SyntaxError(`${key} has no value`);
    members.set(key, json.subarray(start, end));
    at = skipBlanks(json, end);
    if (json[at] === CLOSE_BRACE) return members;
    at = skipBlanks(json, expectByte(json, at, COMMA));
  }
}

/** The index behind `byte`, which must come next. */
function expectByte(json: Uint8Array, from: number, byte: number): number {
  const at = skipBlanks(json, from);
  if (json[at] !== byte) throw new SyntaxError(`${JSON.stringify(String.fromCharCode(byte))} was expected at ${at}`);
  return at + 1;
}
