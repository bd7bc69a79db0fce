/** Splits an expression into tokens. Like a generated lexer it takes the longest token and skips what is none. */
import type { CelIssue } from './cel-source.ts';

/** Operators are their own kinds; the others have the names of the grammar. */
export type TokenKind =
  | '=='
  | '!='
  | 'in'
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'
  | 'true'
  | 'false'
  | 'null'
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | 'BYTES'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | '<EOF>';

const TAB = 0x09;
const NEWLINE = 0x0a;
const FORM_FEED = 0x0c;
const RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const DOT = 0x2e;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const BACKTICK = 0x60;

/** Operators of one character, by character code. */
const SINGLES: readonly (TokenKind | undefined)[] = ((): (TokenKind | undefined)[] => {
  const table: (TokenKind | undefined)[] = Array.from({ length: 128 });
  const singles: readonly TokenKind[] = ['[', ']', '{', '}', '(', ')', '.', ',', '-', '?', ':', '+', '*', '/', '%'];
  for (const kind of singles) table[kind.charCodeAt(0)] = kind;
  return table;
})();

/** 1: letter or underscore, 2: digit. */
const CLASSES: Uint8Array = ((): Uint8Array => {
  const table = new Uint8Array(128);
  for (let code = 0x61; code <= 0x7a; code++) table[code] = 1;
  for (let code = 0x41; code <= 0x5a; code++) table[code] = 1;
  table[0x5f] = 1;
  for (let code = 0x30; code <= 0x39; code++) table[code] = 2;
  return table;
})();

/** A lexer with one token at a time: `kind`, `start` and `end` are those of the current one. */
export class CelLexer {
  readonly text: string;
  readonly issues: CelIssue[];
  kind: TokenKind = '<EOF>';
  start = 0;
  end = 0;

  constructor(text: string, issues: CelIssue[] = []) {
    this.text = text;
    this.issues = issues;
  }

  /** The text of the current token. */
  get value(): string {
    return this.kind === '<EOF>' ? '<EOF>' : this.text.slice(this.start, this.end);
  }

  /** Goes to the next token. */
  next(): void {
    const { text } = this;
    let at = this.end;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === SPACE || code === NEWLINE || code === TAB || code === RETURN || code === FORM_FEED) {
        at++;
      } else if (code === SLASH && text.charCodeAt(at + 1) === SLASH) {
        const line = text.indexOf('\n', at);
        at = line < 0 ? text.length : line;
      } else if (at >= text.length) {
        this.#set('<EOF>', at, at);
        return;
      } else {
        const failed = this.#token(at, code);
        if (failed === 0) return;
        this.issues.push({
          offset: at,
          message: `Syntax error: token recognition error at: '${text.slice(at, failed)}'`,
        });
        at = failed;
      }
    }
  }

  /** Reads the token at `at`; gives 0, or where the text ends that is no token. */
  #token(at: number, code: number): number {
    const { text } = this;
    const kind = code < 128 ? CLASSES[code] : undefined;
    if (kind === 1) {
      const second = text.charCodeAt(at + 1);
      if (second === DOUBLE_QUOTE || second === SINGLE_QUOTE || isRaw(second) || isBytes(code)) {
        const end = this.#prefixedString(at, code, second);
        if (end > 0) {
          this.#set(isBytes(code) ? 'BYTES' : 'STRING', at, end);
          return 0;
        }
      }
      this.#word(at);
      return 0;
    }
    if (kind === 2) {
      this.#number(at);
      return 0;
    }
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      const end = this.#string(at, code, false);
      if (end < 0) return -end;
      this.#set('STRING', at, end);
      return 0;
    }
    if (code === BACKTICK) return this.#escapedIdentifier(at);
    if (code === DOT && isDigit(text.charCodeAt(at + 1))) {
      this.#set('NUM_FLOAT', at, this.#exponent(this.#digits(at + 1)));
      return 0;
    }
    const single = code < 128 ? SINGLES[code] : undefined;
    if (single !== undefined) {
      this.#set(single, at, at + 1);
      return 0;
    }
    return this.#operator(at, text[at] ?? '', text[at + 1] ?? '');
  }

  #operator(at: number, first: string, second: string): number {
    switch (first) {
      case '!':
      case '<':
      case '>':
        if (second === '=') this.#set(`${first}=`, at, at + 2);
        else this.#set(first, at, at + 1);
        return 0;
      case '=':
      case '&':
      case '|':
        if (second === first) {
          this.#set(first === '=' ? '==' : first === '&' ? '&&' : '||', at, at + 2);
          return 0;
        }
        // A generated lexer reports the character that it could not use, too.
        return afterCodePoint(this.text, at + 1);
      default:
        return afterCodePoint(this.text, at);
    }
  }

  #word(at: number): void {
    const { text } = this;
    let end = at + 1;
    for (;;) {
      const code = text.charCodeAt(end);
      if (!(code < 128) || CLASSES[code] === 0) break;
      end++;
    }
    this.#set('IDENTIFIER', at, end);
    if (end - at > 5) return;
    switch (text.charCodeAt(at)) {
      case 0x69: // i
        if (end - at === 2 && text.charCodeAt(at + 1) === 0x6e) this.kind = 'in';
        return;
      case 0x74: // t
        if (this.value === 'true') this.kind = 'true';
        return;
      case 0x66: // f
        if (this.value === 'false') this.kind = 'false';
        return;
      case 0x6e: // n
        if (this.value === 'null') this.kind = 'null';
        return;
      default:
    }
  }

  #number(at: number): void {
    const { text } = this;
    if (text.charCodeAt(at) === 0x30 && text.charCodeAt(at + 1) === 0x78 && isHex(text.charCodeAt(at + 2))) {
      let end = at + 3;
      while (isHex(text.charCodeAt(end))) end++;
      this.#integer(at, end);
      return;
    }
    let end = this.#digits(at);
    if (text.charCodeAt(end) === DOT && isDigit(text.charCodeAt(end + 1))) {
      end = this.#exponent(this.#digits(end + 1));
      this.#set('NUM_FLOAT', at, end);
      return;
    }
    const exponent = this.#exponent(end);
    if (exponent > end) this.#set('NUM_FLOAT', at, exponent);
    else this.#integer(at, end);
  }

  #integer(at: number, end: number): void {
    const code = this.text.charCodeAt(end);
    if (code === 0x75 || code === 0x55) this.#set('NUM_UINT', at, end + 1);
    else this.#set('NUM_INT', at, end);
  }

  #digits(at: number): number {
    let end = at;
    while (isDigit(this.text.charCodeAt(end))) end++;
    return end;
  }

  #exponent(at: number): number {
    const { text } = this;
    const code = text.charCodeAt(at);
    if (code !== 0x65 && code !== 0x45) return at;
    const sign = text.charCodeAt(at + 1);
    const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    return isDigit(text.charCodeAt(digits)) ? this.#digits(digits) : at;
  }

  /** The end of `r".."`, `b".."` or `br".."`; 0 when it is a word. */
  #prefixedString(at: number, first: number, second: number): number {
    let raw = isRaw(first);
    let quoteAt = at + 1;
    if (isBytes(first) && isRaw(second)) {
      raw = true;
      quoteAt++;
    } else if (!raw && !isBytes(first)) {
      return 0;
    }
    const quote = this.text.charCodeAt(quoteAt);
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return 0;
    return Math.max(this.#string(quoteAt, quote, raw), 0);
  }

  /** The end of the string whose quote is at `at`; negative: the place at which it stops to be one. */
  #string(at: number, quote: number, raw: boolean): number {
    const { text } = this;
    if (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote) {
      const end = this.#body(at + 3, quote, raw, true);
      // Without its end, `"""a` is the empty string before `"a`.
      return end < 0 ? at + 2 : end;
    }
    return this.#body(at + 1, quote, raw, false);
  }

  #body(start: number, quote: number, raw: boolean, triple: boolean): number {
    const { text } = this;
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        if (!triple) return at + 1;
        if (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote) return at + 3;
        at++;
      } else if (code === BACKSLASH && !raw) {
        const end = escapeEnd(text, at);
        if (end < 0) return end;
        at = end;
      } else if (at >= text.length) {
        return -at;
      } else if (!triple && (code === NEWLINE || code === RETURN)) {
        return -(at + 1);
      } else {
        at++;
      }
    }
  }

  #escapedIdentifier(at: number): number {
    const { text } = this;
    let end = at + 1;
    for (;;) {
      const code = text.charCodeAt(end);
      const usable =
        code < 128 && (CLASSES[code] !== 0 || code === DOT || code === 0x2d || code === SLASH || code === SPACE);
      if (!usable) break;
      end++;
    }
    if (end > at + 1 && text.charCodeAt(end) === BACKTICK) {
      this.#set('ESC_IDENTIFIER', at, end + 1);
      return 0;
    }
    return afterCodePoint(text, end);
  }

  #set(kind: TokenKind, start: number, end: number): void {
    this.kind = kind;
    this.start = start;
    this.end = end;
  }
}

const ESCAPES = 'abfnrtv"\'\\?`';

/** The end of an escape sequence; negative: the place after the character that does not belong to it. */
function escapeEnd(text: string, at: number): number {
  const char = text[at + 1];
  if (char === undefined) return -(at + 1);
  if (ESCAPES.includes(char)) return at + 2;
  if (char >= '0' && char <= '3') return digitsEnd(text, at + 2, 2, isOctal);
  if (char === 'x' || char === 'X') return digitsEnd(text, at + 2, 2, isHex);
  if (char === 'u') return digitsEnd(text, at + 2, 4, isHex);
  if (char === 'U') return digitsEnd(text, at + 2, 8, isHex);
  return -afterCodePoint(text, at + 1);
}

function digitsEnd(text: string, start: number, count: number, accepts: (code: number) => boolean): number {
  for (let at = start; at < start + count; at++) {
    if (!accepts(text.charCodeAt(at))) return -afterCodePoint(text, at);
  }
  return start + count;
}

function afterCodePoint(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined) return at;
  return code > 0xffff ? at + 2 : at + 1;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isOctal(code: number): boolean {
  return code >= 0x30 && code <= 0x37;
}

function isHex(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}

function isRaw(code: number): boolean {
  return code === 0x72 || code === 0x52;
}

function isBytes(code: number): boolean {
  return code === 0x62 || code === 0x42;
}
