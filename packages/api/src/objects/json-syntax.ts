/** Says what is wrong with JSON in the words of Kubernetes, for text that `JSON.parse` has refused. */
import { quote } from '../names/quote.ts';

const END = 'unexpected end of JSON input';
const DONE = '';

/** Where a scan goes on, or what stopped it. */
type Scan = number | string;

type Container = '[' | '{';

const CLOSING: Readonly<Record<Container, string>> = { '[': ']', '{': '}' };

/**
 * The complaint about the first mistake in `bytes`; `undefined` when they are JSON. Takes time linear in the input and
 * no recursion, so that it can be fed anything.
 */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  const open: Container[] = [];
  let next: Scan = skipBlanks(bytes, 0);
  for (;;) {
    next = scanValue(bytes, next, open);
    if (typeof next === 'string') return next;
    next = scanEnd(bytes, next, open);
    if (next === DONE) return undefined;
    if (typeof next === 'string') return next;
  }
}

/** Reads a value up to its end, or up to the end of its first innermost value, with the containers around that open. */
function scanValue(bytes: Uint8Array, at: number, open: Container[]): Scan {
  let next: Scan = at;
  while (typeof next === 'number') {
    const start = charAt(bytes, next);
    if (start !== '{' && start !== '[') return scanScalar(bytes, next, start);
    const first = skipBlanks(bytes, next + 1);
    if (charAt(bytes, first) === CLOSING[start]) return first + 1;
    open.push(start);
    next = start === '{' ? scanKey(bytes, first) : first;
  }
  return next;
}

function scanScalar(bytes: Uint8Array, at: number, start: string): Scan {
  if (start === '"') return scanString(bytes, at);
  if (start === '-' || isDigit(start)) return scanNumber(bytes, at);
  const literal = LITERALS[start];
  return literal === undefined
    ? complaint(bytes, at, 'looking for beginning of value')
    : scanLiteral(bytes, at, literal);
}

/** Reads what follows a value up to the next value; `DONE` when there is none. */
function scanEnd(bytes: Uint8Array, at: number, open: Container[]): Scan {
  let next = skipBlanks(bytes, at);
  for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
    const character = charAt(bytes, next);
    if (character === ',') {
      const following = skipBlanks(bytes, next + 1);
      return container === '{' ? scanKey(bytes, following) : following;
    }
    if (character !== CLOSING[container]) {
      return complaint(bytes, next, container === '{' ? 'after object key:value pair' : 'after array element');
    }
    open.pop();
    next = skipBlanks(bytes, next + 1);
  }
  return next === bytes.length ? DONE : complaint(bytes, next, 'after top-level value');
}

function scanKey(bytes: Uint8Array, at: number): Scan {
  if (charAt(bytes, at) !== '"') return complaint(bytes, at, 'looking for beginning of object key string');
  const end = scanString(bytes, at);
  if (typeof end === 'string') return end;
  const colon = skipBlanks(bytes, end);
  if (charAt(bytes, colon) !== ':') return complaint(bytes, colon, 'after object key');
  return skipBlanks(bytes, colon + 1);
}

function scanString(bytes: Uint8Array, at: number): Scan {
  for (let next = at + 1; ; next++) {
    const character = charAt(bytes, next);
    if (character === '"') return next + 1;
    if (character === '' || character < ' ') return complaint(bytes, next, 'in string literal');
    if (character !== '\\') continue;
    next++;
    const escaped = charAt(bytes, next);
    if (escaped === 'u') {
      for (let digit = 0; digit < 4; digit++) {
        next++;
        if (!isHexDigit(bytes[next])) {
          return complaint(bytes, next, 'in \\u hexadecimal character escape');
        }
      }
    } else if (escaped === '' || !'bfnrt\\/"'.includes(escaped)) {
      return complaint(bytes, next, 'in string escape code');
    }
  }
}

function scanNumber(bytes: Uint8Array, at: number): Scan {
  let next = charAt(bytes, at) === '-' ? at + 1 : at;
  if (!isDigit(charAt(bytes, next))) return complaint(bytes, next, 'in numeric literal');
  next = charAt(bytes, next) === '0' ? next + 1 : skipDigits(bytes, next);
  if (charAt(bytes, next) === '.') {
    next++;
    if (!isDigit(charAt(bytes, next))) return complaint(bytes, next, 'after decimal point in numeric literal');
    next = skipDigits(bytes, next);
  }
  if (!/^[eE]$/.test(charAt(bytes, next))) return next;
  next++;
  if (/^[+-]$/.test(charAt(bytes, next))) next++;
  return isDigit(charAt(bytes, next))
    ? skipDigits(bytes, next)
    : complaint(bytes, next, 'in exponent of numeric literal');
}

const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

function scanLiteral(bytes: Uint8Array, at: number, literal: string): Scan {
  for (let index = 1; index < literal.length; index++) {
    if (charAt(bytes, at + index) !== literal[index]) {
      return complaint(bytes, at + index, `in literal ${literal} (expecting '${literal[index]}')`);
    }
  }
  return at + literal.length;
}

function skipBlanks(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isBlank(bytes[next])) next++;
  return next;
}

function skipDigits(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isDigit(charAt(bytes, next))) next++;
  return next;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

function isDigit(character: string): boolean {
  return character.length === 1 && character >= '0' && character <= '9';
}

/** One byte as one character, `''` past the end. Kubernetes, too, shows the bytes of a longer character one by one. */
function charAt(bytes: Uint8Array, at: number): string {
  const byte = bytes[at];
  return byte === undefined ? '' : String.fromCharCode(byte);
}

function complaint(bytes: Uint8Array, at: number, context: string): string {
  const character = charAt(bytes, at);
  return character === '' ? END : `invalid character ${quoteCharacter(character)} ${context}`;
}

function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  return `'${quote(character).slice(1, -1)}'`;
}
