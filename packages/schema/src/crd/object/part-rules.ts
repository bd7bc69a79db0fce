/** The rules of a schema for its values, except for their shape. */

import { isJsonNumber, isRecord, type JsonRecord } from '@listwatch/api/values';
import { isKnownFormat, stringFormat } from '../formats/string-formats.ts';
import { encodedText } from '../go-value.ts';
import { PatternError, Re2Pattern } from '../re2-pattern.ts';
import { partOf, type SchemaPart } from '../schema-part.ts';
import { EnumValues } from './enum-values.ts';

/** The rules of a part. */
export interface PartRules {
  /** `''` for none, and for a format that kube-apiserver does not know. */
  readonly format: string;
  /** As its author gave it. */
  readonly givenFormat: string;
  readonly isInFormat: ((text: string) => boolean) | undefined;
  readonly pattern: string;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly isMinimumExclusive: boolean;
  readonly isMaximumExclusive: boolean;
  readonly multipleOf: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly required: readonly string[];
  readonly enumValues: EnumValues | undefined;
  readonly allOf: readonly SchemaPart[];
  readonly anyOf: readonly SchemaPart[];
  readonly oneOf: readonly SchemaPart[];
  readonly not: SchemaPart | undefined;
  readonly hasJunctors: boolean;
  /** `pattern`, or why it does not compile; `patternOf` compiles it on first use. */
  compiledPattern: PatternError | Re2Pattern | undefined;
}

/** The rules of a part; made once. */
export function rulesOf(part: SchemaPart): PartRules {
  part.rules ??= readRules(part);
  return part.rules;
}

/** Is the pattern of these rules compiled? */
export function hasPattern(rules: PartRules): boolean {
  return rules.compiledPattern !== undefined;
}

/** The pattern of rules that have one; compiled on first use. */
export function patternOf(rules: PartRules): Re2Pattern | PatternError {
  rules.compiledPattern ??= compilePattern(rules.pattern);
  return rules.compiledPattern;
}

function compilePattern(pattern: string): PatternError | Re2Pattern {
  try {
    return new Re2Pattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error;
  }
}

function readRules(part: SchemaPart): PartRules {
  const { source } = part;
  const given = typeof source['format'] === 'string' ? source['format'] : '';
  // A value that may be one of two types has no type of its own.
  const format = isKnownFormat(given, part.types.length === 1 ? part.type : '') ? given : '';
  const allOf = parts(source['allOf']);
  const anyOf = parts(source['anyOf']);
  const oneOf = parts(source['oneOf']);
  const not = isRecord(source['not']) ? partOf(source['not']) : undefined;
  return {
    format,
    givenFormat: given,
    isInFormat: format === '' ? undefined : stringFormat(format),
    pattern: typeof source['pattern'] === 'string' ? source['pattern'] : '',
    minLength: number(source, 'minLength'),
    maxLength: number(source, 'maxLength'),
    minimum: number(source, 'minimum'),
    maximum: number(source, 'maximum'),
    isMinimumExclusive: source['exclusiveMinimum'] === true,
    isMaximumExclusive: source['exclusiveMaximum'] === true,
    multipleOf: number(source, 'multipleOf'),
    minItems: number(source, 'minItems'),
    maxItems: number(source, 'maxItems'),
    minProperties: number(source, 'minProperties'),
    maxProperties: number(source, 'maxProperties'),
    required: Array.isArray(source['required']) ? source['required'].filter((name) => typeof name === 'string') : [],
    enumValues:
      Array.isArray(source['enum']) && source['enum'].length > 0
        ? new EnumValues(source['enum'], encodedText)
        : undefined,
    allOf,
    anyOf,
    oneOf,
    not,
    hasJunctors: allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined,
    compiledPattern: undefined,
  };
}

function parts(value: unknown): readonly SchemaPart[] {
  return Array.isArray(value) ? value.filter(isRecord).map(partOf) : [];
}

function number(source: JsonRecord, name: string): number | undefined {
  const value = source[name];
  return isJsonNumber(value) ? Number(value) : undefined;
}
