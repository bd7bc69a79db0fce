/** Indents JSON byte by byte: nothing is parsed, so no number loses a digit. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSE: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Indents JSON by two spaces, as Go's `MarshalIndent` does: empty objects and lists stay on their line, no last newline.
 * `outer` is the depth at which the JSON stands.
 */
export function indentJson(json: Buffer, outer = 0): Buffer {
  const pieces: (Buffer | string)[] = [];
  let depth = outer;
  let start = 0;
  const copy = (end: number): void => {
    if (end > start) pieces.push(json.subarray(start, end));
  };
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(json, at);
    } else if (SPACE.has(byte)) {
      copy(at);
      start = at + 1;
    } else if (OPEN.has(byte)) {
      copy(at + 1);
      const next = skipSpace(json, at + 1);
      if (CLOSE.has(json[next] ?? 0)) {
        start = next;
        at = next;
      } else {
        depth++;
        pieces.push(newLine(depth));
        start = at + 1;
      }
    } else if (CLOSE.has(byte)) {
      copy(at);
      depth--;
      pieces.push(newLine(depth));
      start = at;
    } else if (byte === COMMA || byte === COLON) {
      copy(at + 1);
      pieces.push(byte === COMMA ? newLine(depth) : ' ');
      start = at + 1;
    }
  }
  copy(json.length);
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)));
}

/**
 * Indents a list, one piece for each item, so that a long list is never in memory as a whole. `head` ends with the opening
 * bracket of the items, `tail` starts with the closing one.
 */
export function* indentedListPieces(head: string, items: Iterable<Buffer>, tail: string): Generator<Buffer, undefined> {
  let isEmpty = true;
  for (const item of items) {
    yield isEmpty ? indentJson(Buffer.from(head)) : Buffer.from(`,${newLine(ITEM_DEPTH)}`);
    yield indentJson(item, ITEM_DEPTH);
    isEmpty = false;
  }
  yield isEmpty ? indentJson(Buffer.from(head + tail)) : Buffer.from(`${newLine(1)}]${newLine(0)}}`);
}

const ITEM_DEPTH = 2;

/** The index of the quote that ends the string that begins at `at`. */
function endOfString(json: Buffer, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== QUOTE) end += json[end] === BACKSLASH ? 2 : 1;
  return end;
}

function skipSpace(json: Buffer, at: number): number {
  let next = at;
  while (SPACE.has(json[next] ?? 0)) next++;
  return next;
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(Math.max(depth, 0))}`;
}
