/** Rules that are ready to run. They are compiled once for each schema, when a value first needs them. */

import type { JsonRecord } from '@listwatch/api/values';
import { CelCompileError, type CelProgram } from '@listwatch/cel';
import { maxCardinality } from '../cel/declared-type.ts';
import { type SchemaEnvironment, schemaEnvironment } from '../cel/schema-environment.ts';
import { schemaAtPath } from '../definition/schema-path.ts';
import { memoOf } from '../json-memo.ts';
import { type SchemaRule, schemaRules } from './schema-rule.ts';

/** An expression, or why it does not compile. */
export type CompiledExpression =
  | { readonly program: CelProgram; readonly maxCost: number; readonly problem?: undefined }
  | { readonly program?: undefined; readonly maxCost?: undefined; readonly problem: string };

/** A rule with its programs. */
export interface CompiledRule {
  readonly source: SchemaRule;
  /** `undefined` for an empty rule. */
  readonly expression: CompiledExpression | undefined;
  /** `undefined` without one, and for a rule that does not compile. */
  readonly message: CompiledExpression | undefined;
  /** It is evaluated only when there is an old value, or when that is optional. */
  readonly usesOldSelf: boolean;
  /** Where an error stands, below the value; `''` at the value itself. */
  readonly fieldPath: string;
}

/** The rules of a schema. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  /** How often values of the schema can be in one object, when nothing around them has a limit. */
  readonly maxCardinality: number;
}

/** Types of rules: with `oldSelf` as a value, and as an optional one, which few rules want. */
interface Environments {
  readonly plain: SchemaEnvironment;
  readonly optional: () => SchemaEnvironment;
}

/**
 * The rules of a schema itself; `undefined` when expressions cannot see its values. By identity: the result is kept as long as
 * the schema lives.
 */
export function compiledRules(schema: JsonRecord, isRoot: boolean): CompiledRules | undefined {
  const memo = memoOf(schema);
  if (memo.compiled === undefined) memo.compiled = compile(schema, isRoot) ?? null;
  return memo.compiled ?? undefined;
}

function compile(schema: JsonRecord, isRoot: boolean): CompiledRules | undefined {
  // A name that nobody knows: a rule cannot make objects of the type, or depend on its name.
  const typeName = `selfType${Math.trunc(Math.random() * 1e9)}`;
  const plain = schemaEnvironment(schema, { isRoot, typeName });
  if (plain === undefined) return undefined;
  let made: SchemaEnvironment | undefined;
  const optional = (): SchemaEnvironment => {
    made ??= schemaEnvironment(schema, { isRoot, typeName, hasOptionalOldSelf: true }) ?? plain;
    return made;
  };
  const rules = schemaRules(schema).map((rule) => compileRule(rule, schema, { plain, optional }));
  return { rules, maxCardinality: maxCardinality(plain.declared) };
}

function compileRule(source: SchemaRule, schema: JsonRecord, environments: Environments): CompiledRule {
  const environment = source.optionalOldSelf === true ? environments.optional() : environments.plain;
  const expression = source.rule.trim() === '' ? undefined : compileExpression(source.rule, environment, RULE_WORDS);
  const isReady = expression?.program !== undefined;
  const message =
    isReady && source.messageExpression !== ''
      ? compileExpression(source.messageExpression, environment, MESSAGE_WORDS)
      : undefined;
  const place = source.fieldPath === '' ? undefined : schemaAtPath(schema, source.fieldPath);
  return {
    source,
    expression,
    message,
    usesOldSelf: expression?.program?.variables.includes('oldSelf') ?? false,
    fieldPath: place === undefined || 'problem' in place ? '' : place.path,
  };
}

interface ExpressionWords {
  readonly kind: 'bool' | 'string';
  readonly compilation: string;
  readonly instantiation: string;
  readonly type: string;
}

const RULE_WORDS: ExpressionWords = {
  kind: 'bool',
  compilation: 'compilation failed',
  instantiation: 'program instantiation failed',
  type: 'cel expression must evaluate to a bool',
};
const MESSAGE_WORDS: ExpressionWords = {
  kind: 'string',
  compilation: 'messageExpression compilation failed',
  instantiation: 'messageExpression instantiation failed',
  type: 'messageExpression must evaluate to a string',
};

function compileExpression(
  text: string,
  { environment, sizeHints }: SchemaEnvironment,
  words: ExpressionWords,
): CompiledExpression {
  let program: CelProgram;
  try {
    program = environment.compile(text);
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    const failed = error.issues.length > 0 ? words.compilation : words.instantiation;
    return { problem: `${failed}: ${error.message}` };
  }
  if (program.resultType.kind !== words.kind) return { problem: words.type };
  const maxCost = program.estimateCost(sizeHints).max;
  return { program, maxCost };
}
