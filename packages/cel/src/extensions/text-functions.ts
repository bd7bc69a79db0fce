/** What the functions of strings do. Positions count code points. */
import { CelError } from '../values/cel-error.ts';
import type { CelInt } from '../values/cel-value.ts';
import { codePoints } from './library-cost.ts';

/** Characters that Unicode calls white space. Zero-width ones are none. */
const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const TRIM_START = new RegExp(`^${SPACE}+`);
const SPACE_ONLY = new RegExp(`^${SPACE}$`);
const PAIRS = /[\ud800-\udfff]/;

/** The character at a position; empty at the end. */
export function charAt(text: string, position: CelInt): CelError | string {
  const index = Number(position);
  if (!PAIRS.test(text)) return index < 0 || index > text.length ? outOfRange(position) : text.charAt(index);
  const unit = index < 0 ? undefined : unitIndex(text, index);
  if (unit === undefined || unit > text.length) return outOfRange(position);
  const character = text.codePointAt(unit);
  return character === undefined ? '' : String.fromCodePoint(character);
}

/** The part from a position to another. */
export function substring(text: string, from: CelInt, to?: CelInt): CelError | string {
  const [start, end] = [Number(from), to === undefined ? undefined : Number(to)];
  if (end !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${from}, end: ${to}`);
  }
  const size = codePoints(text);
  if (start < 0 || start > size) return outOfRange(from);
  if (end !== undefined && (end < 0 || end > size)) return outOfRange(to ?? 0);
  return size === text.length ? text.slice(start, end) : Array.from(text).slice(start, end).join('');
}

/** Where a part first is, from a position on; -1 when it is nowhere. */
export function indexOf(text: string, part: string, from: CelInt = 0): CelError | CelInt {
  if (part === '') return from;
  const offset = Number(from);
  if (offset < 0) return outOfRange(from);
  if (!PAIRS.test(text)) return offset >= text.length ? -1 : text.indexOf(part, offset);
  const start = unitIndex(text, offset);
  const found = start === undefined || start >= text.length ? -1 : text.indexOf(part, start);
  return found < 0 ? -1 : codePoints(text.slice(0, found));
}

/** Where a part last is, up to a position; -1 when it is nowhere. */
export function lastIndexOf(text: string, part: string, from?: CelInt): CelError | CelInt {
  if (part === '') return from ?? codePoints(text);
  if (from === undefined && codePoints(text) < codePoints(part)) return -1;
  const offset = from === undefined ? codePoints(text) - 1 : Number(from);
  if (offset < 0) return outOfRange(from ?? offset);
  if (!PAIRS.test(text)) return offset >= text.length ? -1 : text.lastIndexOf(part, offset);
  const start = unitIndex(text, offset);
  const found = start === undefined || start >= text.length ? -1 : text.lastIndexOf(part, start);
  return found < 0 ? -1 : codePoints(text.slice(0, found));
}

/** Without white space at both ends. */
export function trim(text: string): string {
  let end = text.length;
  while (end > 0 && SPACE_ONLY.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(TRIM_START, '');
}

/** ASCII letters in lower case. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** ASCII letters in upper case. */
export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** How often a part is replaced: at most `limit` times, without a limit when it is negative. */
export function replacements(text: string, part: string, limit: CelInt): number {
  const found = part === '' ? codePoints(text) + 1 : occurrences(text, part);
  return limit < 0 ? found : Math.min(found, Number(limit));
}

/** With a part replaced `count` times, see {@link replacements}. */
export function replaceText(text: string, part: string, by: string, count: number): string {
  if (count === 0 || part === by) return text;
  if (part === '') return replaceGaps(text, by, count);
  const pieces = text.split(part);
  return `${pieces.slice(0, count + 1).join(by)}${pieces
    .slice(count + 1)
    .map((piece) => part + piece)
    .join('')}`;
}

/** The parts between separators: at most `limit` of them, without a limit when it is negative. */
export function split(text: string, separator: string, limit: CelInt): string[] {
  if (limit === 0) return [];
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  if (separator === '') {
    const characters = Array.from(text);
    return characters.length <= most
      ? characters
      : [...characters.slice(0, most - 1), characters.slice(most - 1).join('')];
  }
  const pieces = text.split(separator);
  return pieces.length <= most ? pieces : [...pieces.slice(0, most - 1), pieces.slice(most - 1).join(separator)];
}

const QUOTES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** As a literal of CEL. */
export function celLiteral(text: string): string {
  // eslint-disable-next-line no-control-regex
  return `"${text.replace(/[\x07-\r"\\]/g, (character) => QUOTES[character] ?? character)}"`;
}

function replaceGaps(text: string, by: string, count: number): string {
  const characters = Array.from(text);
  let result = by;
  for (const [index, character] of characters.entries()) result += index + 1 < count ? character + by : character;
  return result;
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/** The index in UTF-16 of a position; `undefined` behind the end. */
function unitIndex(text: string, position: number): number | undefined {
  let unit = 0;
  for (let count = 0; count < position; count++) {
    if (unit >= text.length) return undefined;
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return unit;
}

function outOfRange(position: CelInt): CelError {
  return new CelError(`index out of range: ${position}`);
}
