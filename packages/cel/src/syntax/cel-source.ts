/** The text of an expression: positions as line and column, and error texts as cel-go prints them. */

/** A mistake at an offset of the source; -1 when it belongs to no place. */
export interface CelIssue {
  readonly offset: number;
  readonly message: string;
}

/** `CEL_COMPILE`: the expression has issues. `CEL_PROGRAM`: it checks, but a constant part cannot be computed, as in `int("a")`. */
export type CelCompileErrorCode = 'CEL_COMPILE' | 'CEL_PROGRAM';

/** Thrown by `compile`. `message` has every issue with its line and a caret, as cel-go prints them. */
export class CelCompileError extends Error {
  override readonly name: string = 'CelCompileError';
  readonly code: CelCompileErrorCode;
  readonly issues: readonly CelIssue[];

  /** With issues, `text` is the source; without, it is the message itself. */
  constructor(text: string, issues: readonly CelIssue[] = []) {
    super(issues.length === 0 ? text : describeIssues(text, issues));
    this.code = issues.length === 0 ? 'CEL_PROGRAM' : 'CEL_COMPILE';
    this.issues = issues;
  }
}

const MAX_ISSUES = 100;
const MAX_SNIPPET_BYTES = 16_384;

interface Place {
  readonly issue: CelIssue;
  /** From 1; -1 for no place. */
  readonly line: number;
  /** In code points, from 0. */
  readonly column: number;
}

/** The issues in the order of their places, at most 100 of them. */
export function describeIssues(source: string, issues: readonly CelIssue[]): string {
  const lines = source.split('\n');
  const places = issues.slice(0, MAX_ISSUES).map((issue) => placeOf(lines, issue));
  places.sort((a, b) => a.line - b.line || a.column - b.column);
  const texts = places.map((place) => describe(place, lines));
  const rest = issues.length - MAX_ISSUES;
  if (rest > 0) texts.push(`${rest} more errors were truncated`);
  return texts.join('\n');
}

function placeOf(lines: readonly string[], issue: CelIssue): Place {
  if (issue.offset < 0) return { issue, line: -1, column: -1 };
  let line = 1;
  let rest = issue.offset;
  for (const text of lines) {
    if (rest <= text.length || line === lines.length) return { issue, line, column: codePoints(text.slice(0, rest)) };
    rest -= text.length + 1;
    line++;
  }
  return { issue, line, column: 0 };
}

function describe({ issue, line, column }: Place, lines: readonly string[]): string {
  const isEmpty = lines.length === 1 && lines[0] === '';
  // cel-go has no columns in an empty text.
  const head = `ERROR: <input>:${line}:${isEmpty ? 0 : column + 1}: ${issue.message}`;
  const text = line < 1 ? undefined : lines[line - 1];
  if (text === undefined || isEmpty) return head;
  if (text.length * 3 > MAX_SNIPPET_BYTES && utf8Length(text) > MAX_SNIPPET_BYTES) return head;
  const snippet = text.replaceAll('\t', ' ');
  const chars = Array.from(snippet);
  const before = chars.slice(0, column).map((char) => (isWide(char) ? '\uff0e' : '.'));
  const marked = chars[column];
  return `${head}\n | ${snippet}\n | ${before.join('')}${marked !== undefined && isWide(marked) ? '\uff3e' : '^'}`;
}

function isWide(char: string): boolean {
  return (char.codePointAt(0) ?? 0) > 0x7f;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
