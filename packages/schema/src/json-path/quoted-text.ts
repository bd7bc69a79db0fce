/** Text in quotes with the escapes of Go. */

import { JsonPathError } from './json-path-error.ts';

const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** A text with its quotes. */
export class QuotedText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text that is meant. Throws a {@link JsonPathError}. */
  value(): string {
    const inner = this.#text.slice(1, -1);
    if (!inner.includes('\\')) return inner;
    return inner.replaceAll(
      /\\(?:x(.{0,2})|u(.{0,4})|U(.{0,8})|([0-7]{3})|([\s\S]?))/g,
      (all: string, ...groups: string[]) => this.#escape(all, groups),
    );
  }

  #escape(all: string, [, , , octal, letter]: readonly (string | undefined)[]): string {
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    const kind = all.charAt(1);
    const length = Object.hasOwn(DIGITS, kind) ? DIGITS[kind] : undefined;
    if (length !== undefined) return this.#codePoint(all.slice(2), length);
    const found = letter !== undefined && Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
    return found ?? this.#fail();
  }

  #codePoint(digits: string, length: number): string {
    const code = Number.parseInt(digits, 16);
    if (digits.length !== length || !/^[0-9a-fA-F]+$/.test(digits) || code > 0x10_ffff) return this.#fail();
    return String.fromCodePoint(code);
  }

  #fail(): never {
    throw new JsonPathError(`unquote string ${this.#text} error invalid syntax`);
  }
}
