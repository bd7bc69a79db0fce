/**
 * JSON that keeps 64-bit integers. An integer that a double cannot hold is a bigint; all other numbers are numbers. Text
 * without such integers is left to `JSON.parse` and `JSON.stringify`.
 */

import { randomUUID } from 'node:crypto';
import { type JsonLevel, walkJson } from '@listwatch/schema';
import { LONG_NUMBER, mayHaveLongNumbers } from './json-scan.ts';

/** Decodes bytes that this server has encoded. Throws a `SyntaxError` when they are not JSON. */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const value: unknown = JSON.parse(text);
  return mayHaveLongNumbers(bytes) ? withExactIntegers(value, text) : value;
}

/** Encodes a value that may hold bigints. */
export function encodeJson(value: unknown): string {
  try {
    // Hardly any object holds a bigint. Catching the encoder's error is cheaper than searching every object.
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return encodeExactly(value);
  }
}

function encodeExactly(value: unknown): string {
  // Clients cannot know the random mark, so none of their strings can pass for an integer.
  const mark = randomUUID();
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? `${mark}${member}` : member,
  );
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

interface ValueLevel extends JsonLevel {
  /** The value that `JSON.parse` made of this literal; undefined when a later member with the same key replaced it. */
  readonly value: object | undefined;
}

/**
 * The value that `JSON.parse` made of `text`, with a bigint in the place of each integer that was rounded, also beyond
 * 64 bits. Changes the value.
 */
export function withExactIntegers(value: unknown, text: string): unknown {
  let root = value;
  walkJson<ValueLevel>(text, {
    open: (parent, isObject) => ({
      isObject,
      at: isObject ? '' : 0,
      value: containerOf(parent === undefined ? root : memberOf(parent), isObject),
    }),
    number: (level, literal) => {
      if (level === undefined) root = exactNumber(literal);
      else if (literal.length >= LONG_NUMBER && level.value !== undefined && isNumber(memberOf(level), literal)) {
        Reflect.set(level.value, level.at, exactNumber(literal));
      }
    },
  });
  return root;
}

/** Longer integers are rounded: they fit no field, and to parse millions of digits would take seconds. */
const MAX_DIGITS = 40;

/** The number that a literal of JSON stands for: a bigint for an integer that a double cannot hold. */
export function exactNumber(literal: string): bigint | number {
  const number = Number(literal);
  if (literal.length < LONG_NUMBER || literal.length > MAX_DIGITS || !/^-?\d+$/.test(literal)) return number;
  // Several integers round to the same double; only the one that the double prints as is exact.
  return String(number) === literal ? number : BigInt(literal);
}

/** Was the value parsed from this literal? With a repeated key it may come from another literal. */
function isNumber(value: unknown, literal: string): boolean {
  return typeof value === 'bigint' || value === Number(literal);
}

function containerOf(value: unknown, isObject: boolean): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) === isObject ? undefined : value;
}

/** Reads own members only: otherwise the key `__proto__` would read the prototype. */
function memberOf({ value, at }: ValueLevel): unknown {
  return value !== undefined && Object.hasOwn(value, at) ? Reflect.get(value, at) : undefined;
}
