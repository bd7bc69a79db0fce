/** A document as JSON. */

import { setImmediate } from 'node:timers/promises';
import { isSmallValue } from './small-value.ts';

/** About a millisecond of work. */
const TURN_CHARACTERS = 128 * 1024;

/** Encodes in pieces, with turns of the event loop in between: the largest document would stop it for tens of milliseconds. */
export async function encodeDocument(document: object): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let text = '';
  for (const piece of piecesOf(document)) {
    text += piece;
    if (text.length < TURN_CHARACTERS) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await setImmediate();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

/** The text of a value: objects with much in them member by member. */
function* piecesOf(value: unknown): Generator<string, undefined> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isSmallValue(value)) {
    yield JSON.stringify(value);
    return;
  }
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* piecesOf(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
