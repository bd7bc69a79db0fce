/** The values of string and bytes literals. */

/** The text of a literal, or what is wrong with it. */
export type Unescaped = { readonly value: string } | { readonly error: string };

const SIMPLE: Readonly<Record<string, string>> = {
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
  '`': '`',
  '?': '?',
};

/** The value of a string literal with its quotes. */
export function unescapeString(literal: string): Unescaped {
  const { body, raw } = bodyOf(literal);
  if (raw || !body.includes('\\')) return { value: body };
  let value = '';
  let at = 0;
  while (at < body.length) {
    const escape = body.indexOf('\\', at);
    if (escape < 0) return { value: value + body.slice(at) };
    value += body.slice(at, escape);
    const kind = body[escape + 1] ?? '';
    const simple = SIMPLE[kind];
    if (simple !== undefined) {
      value += simple;
      at = escape + 2;
    } else {
      const { code, end } = codeAt(body, escape);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return { error: 'invalid unicode code point' };
      value += String.fromCodePoint(code);
      at = end;
    }
  }
  return { value };
}

/** The value of a bytes literal with its quotes, without the `b`. Hexadecimal and octal escapes are bytes. */
export function unescapeBytes(literal: string): { readonly value: Uint8Array } | { readonly error: string } {
  const { body, raw } = bodyOf(literal);
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return { value: encoder.encode(body) };
  const bytes: number[] = [];
  let at = 0;
  while (at < body.length) {
    const escape = body.indexOf('\\', at);
    for (const byte of encoder.encode(body.slice(at, escape < 0 ? body.length : escape))) bytes.push(byte);
    if (escape < 0) break;
    const kind = body[escape + 1] ?? '';
    const simple = SIMPLE[kind];
    if (kind === 'u' || kind === 'U') return { error: 'unable to unescape string' };
    if (simple !== undefined) {
      bytes.push(simple.charCodeAt(0));
      at = escape + 2;
    } else {
      const { code, end } = codeAt(body, escape);
      bytes.push(code);
      at = end;
    }
  }
  return { value: Uint8Array.from(bytes) };
}

function bodyOf(literal: string): { readonly body: string; readonly raw: boolean } {
  const raw = literal.startsWith('r') || literal.startsWith('R');
  const unprefixed = raw ? literal.slice(1) : literal;
  const quoted = unprefixed.includes('\r') ? unprefixed.replaceAll(/\r\n?/gu, '\n') : unprefixed;
  const triple = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''"));
  return { body: triple ? quoted.slice(3, -3) : quoted.slice(1, -1), raw };
}

/** The number of `\x41`, `\u0041`, `\U00000041` or `\101`; the lexer has checked its digits. */
function codeAt(body: string, escape: number): { readonly code: number; readonly end: number } {
  const kind = body[escape + 1] ?? '';
  if (kind >= '0' && kind <= '3') {
    return { code: Number.parseInt(body.slice(escape + 1, escape + 4), 8), end: escape + 4 };
  }
  const digits = kind === 'u' ? 4 : kind === 'U' ? 8 : 2;
  const end = escape + 2 + digits;
  return { code: Number.parseInt(body.slice(escape + 2, end), 16), end };
}
