/** Validates a scalar: its type, its text, its number. */

import { fieldTooLong, quote } from '@listwatch/api';
import { PatternError } from '../re2-pattern.ts';
import { type PartRules, patternOf } from './part-rules.ts';
import type { ValueWalk } from './value-walk.ts';

/** The limits of int64, as doubles. */
const INT64_MAX = 2 ** 63;

/** The type of a JSON value in a schema. */
export type JsonTypeName = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** The type of a value. Numbers without a fraction that fit into 64 bits are integers. */
export function typeOfJson(value: unknown): JsonTypeName {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < INT64_MAX ? 'integer' : 'number';
  }
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Checks the type of a value that is not null. Says whether it fits. */
export function checkType(value: unknown, types: readonly string[], format: string, walk: ValueWalk): boolean {
  const type = typeOfJson(value);
  const isText = type === 'string' || type === 'array';
  const fits = types.includes(type) || (type === 'integer' && types.includes('number')) || isWhole(value, type, types);
  if (!isText && format !== '' && !fits) {
    const found = type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '';
    if (found !== format) return walk.typeInvalid(found, `must be of type ${format}: ${quote(found)}`);
  }
  if (isText && format !== '' && !types.includes('number') && !types.includes('integer')) return true;
  return fits || walk.typeInvalid(type, `must be of type ${types.join(',')}: ${quote(type)}`);
}

function isWhole(value: unknown, type: JsonTypeName, types: readonly string[]): boolean {
  return type === 'number' && types.includes('integer') && isNearInteger(Number(value));
}

const JSON_INTEGER_MAX = 2 ** 53 - 1;
const EPSILON = 1e-9;

/** Is the number an integer but for an error of rounding? */
export function isNearInteger(number: number): boolean {
  if (!Number.isFinite(number) || Math.abs(number) > JSON_INTEGER_MAX) return false;
  const whole = Math.trunc(number);
  if (number === whole) return true;
  if (number === 0 || whole <= 0) return false;
  return Math.abs(number - whole) / (Math.abs(number) + whole) < EPSILON;
}

/** Checks the length and the pattern of a text: the first fault only. */
export function checkText(text: string, rules: PartRules, walk: ValueWalk): void {
  const { minLength, maxLength } = rules;
  if (maxLength !== undefined && isLonger(text, maxLength)) {
    walk.add(fieldTooLong(walk.field(), maxLength));
  } else if (minLength !== undefined && isShorter(text, minLength)) {
    walk.invalid(text, `should be at least ${minLength} chars long`);
  } else if (rules.pattern !== '') checkPattern(text, rules, walk);
}

function checkPattern(text: string, rules: PartRules, walk: ValueWalk): void {
  const { pattern: source } = rules;
  const pattern = patternOf(rules);
  if (pattern instanceof PatternError) {
    walk.invalid(text, `should match '${source}, but pattern is invalid: ${pattern.message}'`);
    return;
  }
  const exceeded = walk.spendMatch(pattern.cost(text));
  if (exceeded === 'text') walk.invalid(text, `is too long to be matched with '${source}'`);
  else if (exceeded === 'object') {
    walk.invalid(text, `is not matched with '${source}': the object has too many texts with patterns`);
  } else if (!pattern.isIn(text)) walk.invalid(text, `should match '${source}'`);
}

/** Characters count as Unicode code points; a text has at least half as many as UTF-16 units. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > max * 2 || codePoints(text) > max);
}

function isShorter(text: string, min: number): boolean {
  return text.length < min * 2 && (text.length < min || codePoints(text) < min);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
