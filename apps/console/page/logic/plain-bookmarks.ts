/** Bookmarks of a watch of Tables, as clients expect them: the mark that ends the initial events is in their own metadata. */

import { isRecord } from '@listwatch/api/values';
import { isTable, type RowType } from './table-rows.ts';

const NEWLINE = 10;
const BOOKMARK = new TextEncoder().encode('{"type":"BOOKMARK"');

/** A longer line is none that has to be read here. */
const MAX_BOOKMARK_BYTES = 1024 * 1024;

/** Bytes pass as they are, but for the lines of bookmarks, which are few. */
export async function* withPlainBookmarks(body: AsyncIterable<Uint8Array>, type: RowType): AsyncGenerator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  /** The beginning of a line that may be a bookmark. */
  let held = new Uint8Array(0);
  let isWithinLine = false;
  for await (const chunk of body) {
    const bytes = held.length === 0 ? chunk : joined(held, chunk);
    let passed = 0;
    let start: number = isWithinLine ? bytes.indexOf(NEWLINE) + 1 : 0;
    isWithinLine &&= start === 0;
    while (!isWithinLine && start < bytes.length) {
      const newline = bytes.indexOf(NEWLINE, start);
      const mayBeBookmark = startsWith(bytes, start, BOOKMARK) && bytes.length - start <= MAX_BOOKMARK_BYTES;
      if (mayBeBookmark) {
        if (start > passed) yield bytes.subarray(passed, start);
        passed = start;
        if (newline < 0) break;
        yield encoder.encode(`${plainBookmark(decoder.decode(bytes.subarray(start, newline)), type)}\n`);
        passed = newline + 1;
      }
      isWithinLine = newline < 0;
      start = newline + 1;
    }
    const isHeld = !isWithinLine && passed < bytes.length && start < bytes.length;
    if (!isHeld && passed < bytes.length) yield bytes.subarray(passed);
    held = isHeld ? bytes.slice(passed) : new Uint8Array(0);
  }
  if (held.length > 0) yield held;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function startsWith(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  // Bytes that have not arrived yet may be the right ones.
  return start.every((byte, index) => (bytes[at + index] ?? byte) === byte);
}

/** A bookmark of Tables says in the metadata of its row whether the initial events are over; clients look in its own. */
function plainBookmark(line: string, type: RowType): string {
  const event: unknown = JSON.parse(line);
  if (!isRecord(event) || event['type'] !== 'BOOKMARK' || !isTable(event['object'])) return line;
  const { metadata, rows } = event['object'];
  return JSON.stringify({
    type: 'BOOKMARK',
    object: { ...type, metadata: { ...metadata, ...rows?.[0]?.object?.metadata } },
  });
}
