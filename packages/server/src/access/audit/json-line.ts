/** JSON on one line, for a log with one event a line. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const OBJECT = 0x7b;
const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Where objects have metadata: in themselves, in a list and in a Table. */
const METADATA_PATHS: ReadonlySet<string> = new Set(['metadata', 'items.[].metadata', 'rows.[].object.metadata']);
const MANAGED = Buffer.from('managedFields');

/** Text of JSON without whitespace between its parts. Answers are on one line already but for their end, and stay as they are. */
export function jsonLine(json: Buffer): string {
  const end = json.at(-1) === LINE_END ? json.length - 1 : json.length;
  const body = end === json.length ? json : json.subarray(0, end);
  // No string in JSON holds a line end: if there is one, the text is laid out for people.
  if (!body.includes(LINE_END) && !body.includes(CARRIAGE_RETURN)) return body.toString();
  return rewritten(body, false);
}

/** The same without the managedFields of the object, of the items of a list and of the rows of a Table. */
export function jsonLineWithoutManagedFields(json: Buffer): string {
  return json.includes(MANAGED) ? rewritten(json, true) : jsonLine(json);
}

interface Level {
  readonly isObject: boolean;
  /** The key of the member that is being read; `[]` in a list. */
  key: string;
}

/** One pass over the bytes; what is kept is copied in long slices. */
function rewritten(json: Buffer, dropsManagedFields: boolean): string {
  const kept: Buffer[] = [];
  const levels: Level[] = [];
  let start = 0;
  let at = 0;
  let expectsKey = false;
  const keep = (to: number): void => {
    if (to > start) kept.push(json.subarray(start, to));
  };
  while (at < json.length) {
    const byte = json[at] ?? 0;
    const level = levels.at(-1);
    if (byte === QUOTE) {
      const end = stringEnd(json, at);
      if (expectsKey && level !== undefined) {
        const key = json.toString('utf8', at + 1, end - 1);
        if (dropsManagedFields && key === 'managedFields' && METADATA_PATHS.has(pathOf(levels))) {
          keep(at);
          at = valueEnd(json, end);
          // The comma behind it goes with it, or, when it was the last, the one before it.
          if (json[at] === COMMA) at += 1;
          else dropComma(kept);
          start = at;
          continue;
        }
        level.key = key;
        expectsKey = false;
      }
      at = end;
      continue;
    }
    if (byte <= 0x20) {
      keep(at);
      at += 1;
      start = at;
      continue;
    }
    if (OPENING.has(byte)) {
      levels.push({ isObject: byte === OBJECT, key: byte === OBJECT ? '' : '[]' });
      expectsKey = byte === OBJECT;
    } else if (CLOSING.has(byte)) levels.pop();
    else if (byte === COMMA) expectsKey = level?.isObject === true;
    at += 1;
  }
  keep(json.length);
  return Buffer.concat(kept).toString();
}

/** `items.[].metadata` of the levels that are open; the innermost has no key yet. */
function pathOf(levels: readonly Level[]): string {
  return levels
    .slice(0, -1)
    .map(({ key }) => key)
    .join('.');
}

function dropComma(kept: Buffer[]): void {
  const last = kept.at(-1);
  if (last?.at(-1) === COMMA) kept[kept.length - 1] = last.subarray(0, -1);
}

/** The place behind the string that begins at `from`. */
function stringEnd(json: Buffer, from: number): number {
  for (let end = json.indexOf(QUOTE, from + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  throw new SyntaxError('a string has no end');
}

/** The place behind the value of the member whose key ends at `from`, and behind the whitespace after it. */
function valueEnd(json: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = stringEnd(json, at);
      continue;
    }
    if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (byte === COMMA && depth === 0) return at;
    at += 1;
  }
  throw new SyntaxError('a member has no end');
}
