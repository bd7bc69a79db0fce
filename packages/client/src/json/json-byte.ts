/** The bytes that JSON is built of. In UTF-8 none of them is ever part of another character. */

export const NEWLINE = 0x0a;
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const COLON = 0x3a;
export const COMMA = 0x2c;

/** Is it one of the four blanks of JSON? */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The index of the first byte from `at` on that is no blank; the length when there is none. */
export function skipBlanks(bytes: Uint8Array, at: number): number {
  let next = at;
  while (next < bytes.length && isBlank(bytes[next])) next += 1;
  return next;
}
