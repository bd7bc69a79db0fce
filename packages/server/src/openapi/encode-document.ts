/** A document as JSON. */

import type { Hash } from 'node:crypto';
import { justPause } from '../contract/pause.ts';
import { encodeJson } from '../stored/exact-json.ts';
import { encodedBytes } from './encoded-part.ts';
import { isSmallValue } from './small-value.ts';

/** About a millisecond of work. */
const TURN_CHARACTERS = 128 * 1024;

/**
 * Encodes in pieces, with turns of the event loop in between: the largest document would stop it for tens of milliseconds. So would
 * its hash: `digest` gets each piece.
 */
export async function encodeDocument(document: object, digest?: Hash): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const add = (piece: Uint8Array): void => {
    pieces.push(piece);
    digest?.update(piece);
  };
  let text = '';
  for (const piece of piecesOf(document)) {
    const isText = typeof piece === 'string';
    if (isText) text += piece;
    if (isText && text.length < TURN_CHARACTERS) continue;
    add(Buffer.from(text));
    text = '';
    if (!isText) add(piece);
    await justPause();
  }
  add(Buffer.from(text));
  return Buffer.concat(pieces);
}

/** The text of a value: objects with much in them member by member. */
function* piecesOf(value: unknown): Generator<string | Uint8Array, undefined> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isSmallValue(value)) {
    yield encodeJson(value);
    return;
  }
  const encoded = encodedBytes(value);
  if (encoded !== undefined) {
    yield encoded.json;
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
