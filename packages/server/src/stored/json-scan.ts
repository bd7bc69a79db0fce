/** Scans JSON before it is parsed: its depth, its size, and whether it has numbers that a double cannot hold. */

/** The deepest nesting that is accepted. `JSON.stringify` overflows the stack a few times deeper. */
export const MAX_DEPTH = 1000;

/** The maximum of numbers with 16 characters or more: each is read a second time to keep its digits. */
export const MAX_LONG_NUMBERS = 10_000;

/** The result of a scan. For bytes that are not JSON the counts mean nothing. */
export interface JsonScan {
  /** The deepest nesting of objects and lists. */
  readonly depth: number;
  /** The number of object members, repeated ones included. */
  readonly members: number;
  /** The number of commas, objects and lists: the cost of decoding grows with it. */
  readonly parts: number;
  /** The numbers of 16 characters or more, which `JSON.parse` may round. */
  readonly longNumbers: number;
  /** Has a number with a fraction or an exponent, such as `1.0`? */
  readonly hasFractions: boolean;
  /** Where the nesting first exceeded `MAX_DEPTH`, and the scan ended; -1 when it did not. */
  readonly tooDeepAt: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The shortest integer that a double cannot hold, 9007199254740993, has this many digits. */
export const LONG_NUMBER = 16;

/** Scans bytes, which may hold anything. Linear in their length, without recursion. */
export function scanJson(bytes: Uint8Array): JsonScan {
  const { length } = bytes;
  let [depth, deepest, members, parts, longNumbers] = [0, 0, 0, 0, 0];
  let hasFractions = false;
  for (let at = 0; at < length; at += 1) {
    switch (bytes[at] ?? 0) {
      case QUOTE:
        at = endOfString(bytes, at);
        break;
      case 0x7b: // {
      case 0x5b: // [
        parts += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
        if (depth > MAX_DEPTH) return { depth, members, parts, longNumbers, hasFractions, tooDeepAt: at };
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        break;
      case 0x3a: // :
        members += 1;
        break;
      case 0x2c: // ,
        parts += 1;
        break;
      default: {
        if (NUMBER_BYTE[bytes[at] ?? 0] !== INTEGER) break;
        let end = at + 1;
        for (let kind = NUMBER_BYTE[bytes[end] ?? 0]; kind !== 0; kind = NUMBER_BYTE[bytes[end] ?? 0]) {
          if (kind === FRACTION) hasFractions = true;
          end += 1;
        }
        if (end - at >= LONG_NUMBER) longNumbers += 1;
        at = end - 1;
      }
    }
  }
  return { depth: deepest, members, parts, longNumbers, hasFractions, tooDeepAt: -1 };
}

/** Where the string that starts at `start` has its closing quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Classes of bytes: digits and signs of integers, bytes of fractions and exponents; 0 for bytes that end a number. */
const NUMBER_BYTE = new Uint8Array(256);
const INTEGER = 1;
const FRACTION = 2;
for (const character of '0123456789+-') NUMBER_BYTE[character.charCodeAt(0)] = INTEGER;
for (const character of '.eE') NUMBER_BYTE[character.charCodeAt(0)] = FRACTION;

/**
 * Whether the bytes may have an integer that a double cannot hold. Looks only at every 16th byte: a run of 16 digits
 * covers one. Digits within a string count too, so true may be wrong. Digits at the start of a string do not count: a
 * resourceVersion may have 16 digits, in engines that count from their start time.
 */
export function mayHaveLongNumbers(bytes: Uint8Array): boolean {
  for (let at = LONG_NUMBER - 1; at < bytes.length; at += LONG_NUMBER) {
    if (!isDigit(bytes[at])) continue;
    let [first, end] = [at, at + 1];
    while (isDigit(bytes[first - 1])) first -= 1;
    const isText = bytes[first - 1] === QUOTE;
    while (isDigit(bytes[end])) end += 1;
    if (!isText && end - first >= LONG_NUMBER) return true;
    // Goes on behind the run: from each of its bytes back to the quote, a megabyte of digits would take half a minute.
    at = Math.max(at, end - 1);
  }
  return false;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The index after the object that begins at `start`. Braces in strings do not count. */
export function endOfObject(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) i = closingQuote(bytes, i);
    else if (byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACE) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  throw new SyntaxError('a stored object does not end');
}

/** The index after the value of JSON that begins at `start`, without blanks around it. Its nesting is not checked. */
export function endOfJsonValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return closingQuote(bytes, start) + 1;
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    switch (bytes[at] ?? 0) {
      case QUOTE:
        at = closingQuote(bytes, at);
        break;
      case OPEN_BRACE:
      case 0x5b: // [
        depth += 1;
        break;
      case CLOSE_BRACE:
      case 0x5d: // ]
        // This byte ends a number.
        if (depth === 0) return at;
        depth -= 1;
        if (depth === 0) return at + 1;
        break;
      case 0x2c: // ,
        if (depth === 0) return at;
        break;
      default:
    }
  }
  throw new SyntaxError('a stored value does not end');
}

/** The index of the quote that ends the string which begins at `start`. */
function closingQuote(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  throw new SyntaxError('a stored string does not end');
}

const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Where a value begins and ends. */
export interface ValueRange {
  readonly start: number;
  /** Behind its last byte. */
  readonly end: number;
}

/**
 * The value of a member of the object that begins at `start`, the first of that name; undefined when it has none. The bytes are
 * JSON without whitespace. Throws a SyntaxError for bytes that end too early.
 */
export function memberRange(bytes: Buffer, start: number, name: string): ValueRange | undefined {
  const key = Buffer.from(JSON.stringify(name));
  for (let at = start + 1; bytes[at] === QUOTE; at += 1) {
    const keyEnd = closingQuote(bytes, at) + 1;
    if (bytes[keyEnd] !== COLON) throw new SyntaxError('a member of an object has no value');
    const end = endOfValue(bytes, keyEnd + 1);
    if (key.compare(bytes, at, keyEnd) === 0) return { start: keyEnd + 1, end };
    at = end;
    if (bytes[at] !== COMMA) return undefined;
  }
  return undefined;
}

/** The index behind the value that begins at `start`. */
function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = closingQuote(bytes, at);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (byte === COMMA && depth === 0) return at;
  }
  throw new SyntaxError('a value does not end');
}
