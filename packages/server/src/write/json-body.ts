/** The body of a request in JSON. The sender is not trusted: what would stall the server is refused before it is parsed. */

import { jsonSyntaxError, requestEntityTooLarge } from '@listwatch/api';
import { withExactIntegers } from '../kinds/shapes/exact-json.ts';
import { MAX_MEMBERS, MAX_PARTS, scanJson } from '../kinds/shapes/json-scan.ts';
import { type JsonDocument, SyntaxProblem } from './json-document.ts';

const TOO_DEEP = 'exceeded max depth';

/** Parses JSON. Throws a `SyntaxProblem`, and the 413 for more members than the server decodes at once. */
export function parseJson(bytes: Buffer, maxMembers = MAX_MEMBERS): JsonDocument {
  const { members, parts, hasLongNumbers, tooDeepAt } = scanJson(bytes);
  // A mistake in front of the deepest place is reported first, as Go's scanner does.
  if (tooDeepAt >= 0) throw new SyntaxProblem(mistakeBefore(bytes, tooDeepAt) ?? TOO_DEEP);
  requireSize(members, maxMembers, 'fields');
  requireSize(parts, MAX_PARTS, 'values');
  const text = withoutLoneSurrogates(bytes.toString());
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SyntaxProblem(jsonSyntaxError(bytes) ?? TOO_DEEP);
  }
  if (hasLongNumbers) value = withExactIntegers(value, text);
  // `JSON.parse` keeps one member of each name, so only repeated ones are missing.
  const repeatingText = membersOf(value) === members ? undefined : text;
  return { value, repeatingText, complaints: [] };
}

/** Throws the 413 for a body that takes too long to decode, although it is within the limit of bytes. */
function requireSize(count: number, max: number, what: string): void {
  if (count > max) throw requestEntityTooLarge(`the body has ${count} ${what}, limit is ${max}`);
}

function mistakeBefore(bytes: Buffer, end: number): string | undefined {
  const mistake = jsonSyntaxError(bytes.subarray(0, end));
  return mistake === 'unexpected end of JSON input' ? undefined : mistake;
}

/** How many members all objects within a value have. The value is no deeper than `MAX_DEPTH`. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    let inside = 0;
    for (const item of value) if (typeof item === 'object') inside += membersOf(item);
    return inside;
  }
  const members: unknown[] = Object.values(value);
  let count = members.length;
  for (const member of members) if (typeof member === 'object') count += membersOf(member);
  return count;
}

const SURROGATE = /\\u[dD][89a-fA-F]/;
/** Every escape in its turn, so that the second backslash of `\\` starts none. Only a lone surrogate is captured. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g;

/** Half of a surrogate pair is no character. Go puts U+FFFD in its place. */
function withoutLoneSurrogates(json: string): string {
  if (!SURROGATE.test(json)) return json;
  return json.replaceAll(ESCAPE, (escape: string, lone: string | undefined) =>
    lone === undefined ? escape : '\\ufffd',
  );
}
