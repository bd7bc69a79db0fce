/** A document as JSON. */

import { setImmediate } from 'node:timers/promises';

/** About a millisecond of work. */
const TURN_CHARACTERS = 128 * 1024;

/** `components`, `schemas`, and each schema: what lies deeper is encoded at once. */
const DEPTH = 3;

/** Encodes in pieces, with turns of the event loop in between: the largest document would stop it for tens of milliseconds. */
export async function encodeDocument(document: object): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let text = '';
  for (const piece of piecesOf(document, DEPTH)) {
    text += piece;
    if (text.length < TURN_CHARACTERS) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await setImmediate();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

function* piecesOf(value: unknown, depth: number): Generator<string, undefined> {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield JSON.stringify(value);
    return;
  }
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* piecesOf(member, depth - 1);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
