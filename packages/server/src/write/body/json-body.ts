/**
 * The body of a request in JSON. The sender is not trusted: input that would stall the server is refused before
 * parsing.
 */

import { jsonSyntaxError, requestEntityTooLarge } from '@listwatch/api';
import { BODY_LIMITS, type BodyLimits } from '@listwatch/rules/internal';
import { withExactIntegers } from '../../stored/exact-json.ts';
import { MAX_LONG_NUMBERS, scanJson } from '../../stored/json-scan.ts';
import { type JsonDocument, SyntaxProblem } from './json-document.ts';

const TOO_DEEP = 'exceeded max depth';

/** Parses JSON. Throws a `SyntaxProblem`, and the 413 for more members than the server decodes at once. */
export function parseJson(bytes: Buffer, limits: BodyLimits = BODY_LIMITS): JsonDocument {
  const { members, parts, longNumbers, hasFractions, tooDeepAt } = scanJson(bytes);
  // A mistake in front of the deepest place is reported first, as Go's scanner does.
  if (tooDeepAt >= 0) throw new SyntaxProblem(mistakeBefore(bytes, tooDeepAt) ?? TOO_DEEP);
  requireSize(members, limits.members, 'fields');
  requireSize(parts, limits.parts, 'values');
  requireSize(longNumbers, MAX_LONG_NUMBERS, 'numbers of 16 digits or more');
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SyntaxProblem(jsonSyntaxError(bytes) ?? TOO_DEEP);
  }
  const parsed = value;
  if (longNumbers > 0) value = withExactIntegers(value, text);
  if (SURROGATE.test(text)) value = wellFormed(value);
  return new ParsedJson(value, { parsed, members, text, hasFractions });
}

/** What is known of the text of a body. */
interface JsonFacts {
  /** As `JSON.parse` read it. */
  readonly parsed: unknown;
  readonly members: number;
  readonly text: string;
  readonly hasFractions: boolean;
}

/**
 * A body that was JSON. A class: V8 makes a hidden class for each object that has an accessor of its own, and that would keep the
 * document in memory until the next full collection.
 */
class ParsedJson implements JsonDocument {
  readonly value: unknown;
  readonly members: number;
  readonly fractionText: string | undefined;
  readonly complaints: readonly string[] = [];
  readonly #facts: JsonFacts;
  #repeats: boolean | undefined;

  constructor(value: unknown, facts: JsonFacts) {
    this.value = value;
    this.members = facts.members;
    this.fractionText = facts.hasFractions ? facts.text : undefined;
    this.#facts = facts;
  }

  /** Counted on first use. */
  get repeatingText(): string | undefined {
    const { parsed, members, text } = this.#facts;
    // `JSON.parse` keeps one member of each name, so only repeated ones are missing.
    this.#repeats ??= membersOf(parsed) !== members;
    return this.#repeats ? text : undefined;
  }
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

/** The escape of half a surrogate pair, if it stands alone. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** The value with U+FFFD in the place of each half of a surrogate pair, as Go has it. No deeper than `MAX_DEPTH`. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [wellFormedText(key), wellFormed(member)]));
}

function wellFormedText(text: string): string {
  // UTF-8 has no surrogates: the encoder replaces them.
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text;
}
