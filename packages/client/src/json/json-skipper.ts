/** Checks the syntax of JSON values that are in memory as a whole, without building them. */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-byte.ts';

/** As in Go's encoding/json. */
const MAX_DEPTH = 10_000;

/** The first bytes of a string are read one by one: most strings are short, and end here. */
const NEAR = 24;

/** Printable ASCII characters lie between these. */
const FIRST_PRINTABLE = 0x20;
const FIRST_BEYOND_ASCII = 0x80;

/** The highest of the blanks. */
const LAST_BLANK = 0x20;

/** 1 for the bytes that stand for themselves in a string. One look-up for each byte is cheaper than four comparisons. */
const PLAIN = new Uint8Array(256).fill(1, FIRST_PRINTABLE, FIRST_BEYOND_ASCII);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

/**
 * Skips values, and throws a SyntaxError for everything that `JSON.parse` refuses, with one exception: whether bytes beyond
 * ASCII are UTF-8 is left to the caller, who sees in `hasBeyondAscii` whether there are any.
 */
export class JsonSkipper {
  #bytes: Uint8Array = NO_BYTES;
  #view: DataView = NO_VIEW;
  #brackets: Uint8Array = new Uint8Array(64);
  #hasBeyondAscii = false;
  #hasNewlines = false;

  /** True when a string since `start` has had bytes beyond ASCII. */
  get hasBeyondAscii(): boolean {
    return this.#hasBeyondAscii;
  }

  /** True when there have been newlines since `start`. */
  get hasNewlines(): boolean {
    return this.#hasNewlines;
  }

  /** Reads these bytes from now on. */
  start(bytes: Uint8Array): void {
    this.#hasBeyondAscii = false;
    this.#hasNewlines = false;
    if (this.#bytes === bytes) return;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The index behind the value that begins at `from`, or behind blanks there. */
  value(from: number): number {
    const bytes = this.#bytes;
    let brackets = this.#brackets;
    let depth = 0;
    let at = from;
    for (;;) {
      let first = bytes[at] ?? 0;
      if (first <= LAST_BLANK) {
        at = this.blanks(at);
        first = bytes[at] ?? 0;
      }
      if (first === QUOTE) {
        at = this.string(at);
      } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        at = (bytes[at + 1] ?? 0) > LAST_BLANK ? at + 1 : this.blanks(at + 1);
        const close = first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
        if (bytes[at] !== close) {
          if (depth === brackets.length) brackets = this.#deeper();
          brackets[depth] = close;
          depth += 1;
          if (first === OPEN_BRACE) at = this.expect(COLON, this.string(at));
          continue;
        }
        at += 1;
      } else {
        at = this.#scalar(at);
      }
      // Behind a value: its container goes on, or it ends, and then that is a value.
      for (;;) {
        if (depth === 0) return at;
        let next = bytes[at] ?? 0;
        if (next <= LAST_BLANK) {
          at = this.blanks(at);
          next = bytes[at] ?? 0;
        }
        const close = brackets[depth - 1];
        at += 1;
        if (next === COMMA) {
          if (close === CLOSE_BRACE) at = this.expect(COLON, this.string(bytes[at] === QUOTE ? at : this.blanks(at)));
          break;
        }
        if (next !== close) throw unexpected(bytes, at - 1);
        depth -= 1;
      }
    }
  }

  /** The index behind `byte`, which must be the next that is no blank. */
  expect(byte: number, from: number): number {
    if (this.#bytes[from] === byte) return from + 1;
    const at = this.blanks(from);
    if (this.#bytes[at] !== byte) throw unexpected(this.#bytes, at);
    return at + 1;
  }

  /** The index behind the string that begins at `from`. */
  string(from: number): number {
    const bytes = this.#bytes;
    if (bytes[from] !== QUOTE) throw unexpected(bytes, from);
    let at = from + 1;
    for (;;) {
      const near = at + NEAR;
      while (at < near && PLAIN[bytes[at] ?? 0] === 1) at += 1;
      if (at === near) at = this.#plainText(at);
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at = escape(bytes, at);
      else if (byte >= FIRST_BEYOND_ASCII) at = this.#beyondAscii(at);
      else throw unexpected(bytes, at);
    }
  }

  /** The index of the first byte from `from` on that is no blank. */
  blanks(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    for (;;) {
      const byte = bytes[at];
      if (byte === NEWLINE) this.#hasNewlines = true;
      else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return at;
      at += 1;
    }
  }

  /** The index of the first byte that is no plain character of a string. Eight bytes at a time: half of a list is in long strings. */
  #plainText(from: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const last = bytes.length - 16;
    let at = from;
    while (at <= last) {
      const found =
        special(view.getInt32(at, true)) |
        special(view.getInt32(at + 4, true)) |
        special(view.getInt32(at + 8, true)) |
        special(view.getInt32(at + 12, true));
      if ((found & HIGH_BITS) !== 0) break;
      at += 16;
    }
    while (PLAIN[bytes[at] ?? 0] === 1) at += 1;
    return at;
  }

  #beyondAscii(from: number): number {
    const bytes = this.#bytes;
    this.#hasBeyondAscii = true;
    let at = from;
    while ((bytes[at] ?? 0) >= FIRST_BEYOND_ASCII) at += 1;
    return at;
  }

  /** A number or a word. */
  #scalar(from: number): number {
    switch (this.#bytes[from] ?? 0) {
      case 0x74:
        return word(this.#bytes, from, 'true');
      case 0x66:
        return word(this.#bytes, from, 'false');
      case 0x6e:
        return word(this.#bytes, from, 'null');
      default:
        return number(this.#bytes, from);
    }
  }

  #deeper(): Uint8Array {
    const depth = this.#brackets.length;
    if (depth >= MAX_DEPTH) throw new SyntaxError(`JSON nested deeper than ${MAX_DEPTH} levels`);
    const brackets = new Uint8Array(Math.min(2 * depth, MAX_DEPTH));
    brackets.set(this.#brackets);
    this.#brackets = brackets;
    return brackets;
  }
}

const HIGH_BITS = 0x80808080 | 0;

/** Has the high bit of a byte set if one of the four is a control character, a quote, a backslash or beyond ASCII. */
function special(word32: number): number {
  // Flipping bit 1 makes the quote 0x20 and leaves control characters below it, so that one comparison finds both.
  const flipped = word32 ^ 0x02020202;
  const slashed = word32 ^ 0x5c5c5c5c;
  return word32 | (((flipped - 0x21212121) | 0) & ~flipped) | (((slashed - 0x01010101) | 0) & ~slashed);
}

/** The index behind an escape whose backslash is at `from`. */
function escape(bytes: Uint8Array, from: number): number {
  switch (bytes[from + 1] ?? 0) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return from + 2;
    case 0x75:
      for (let at = from + 2; at < from + 6; at += 1) if (!isHex(bytes[at] ?? 0)) throw unexpected(bytes, at);
      return from + 6;
    default:
      throw unexpected(bytes, from + 1);
  }
}

function number(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === 0x2d ? from + 1 : from;
  at = bytes[at] === 0x30 ? at + 1 : digits(bytes, at);
  if (bytes[at] === 0x2e) at = digits(bytes, at + 1);
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    const sign = bytes[at + 1];
    at = digits(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1);
  }
  return at;
}

/** The index behind digits; there must be one. */
function digits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at] ?? 0)) at += 1;
  if (at === from) throw unexpected(bytes, at);
  return at;
}

function word(bytes: Uint8Array, from: number, text: string): number {
  for (let i = 0; i < text.length; i += 1)
    if (bytes[from + i] !== text.charCodeAt(i)) throw unexpected(bytes, from + i);
  return from + text.length;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

function unexpected(bytes: Uint8Array, at: number): SyntaxError {
  const byte = bytes[at];
  if (byte === undefined) return new SyntaxError('unexpected end of JSON');
  const shown = byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `byte 0x${byte.toString(16).padStart(2, '0')}`;
  return new SyntaxError(`unexpected ${shown} in JSON at ${at}`);
}
