/** Rules that are ready to run. They are compiled once for each schema, when a value first needs them. */

import type { JsonRecord } from '@listwatch/api/values';
import { CelCompileError, type CelEnvironment, type CelProgram, patternWork } from '@listwatch/cel';
import { maxCardinality, type SchemaEnvironment, schemaEnvironment } from '@listwatch/cel/kubernetes';
import { schemaAtPath } from '../definition/schema-path.ts';
import { finish, type Steps } from '../steps.ts';
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

const COMPILED = new WeakMap<JsonRecord, CompiledRules | null>();

/**
 * The rules of a schema itself; `undefined` when expressions cannot see its values. By identity: the result is kept as long as
 * the schema lives.
 */
export function compiledRules(schema: JsonRecord, isRoot: boolean): CompiledRules | undefined {
  return finish(compileSteps(schema, isRoot));
}

/** The same in steps, for schemas whose rules are long. */
export function* compileSteps(schema: JsonRecord, isRoot: boolean): Steps<CompiledRules | undefined> {
  let compiled = COMPILED.get(schema);
  if (compiled === undefined) {
    compiled = (yield* compile(schema, isRoot)) ?? null;
    COMPILED.set(schema, compiled);
  }
  return compiled ?? undefined;
}

/** Are the rules of a schema compiled already? */
export function isCompiled(schema: JsonRecord): boolean {
  return COMPILED.has(schema);
}

function* compile(schema: JsonRecord, isRoot: boolean): Steps<CompiledRules | undefined> {
  // A name that nobody knows: a rule cannot make objects of the type, or depend on its name.
  const typeName = `selfType${Math.trunc(Math.random() * 1e9)}`;
  const plain = schemaEnvironment(schema, { isRoot, typeName });
  if (plain === undefined) return undefined;
  let made: SchemaEnvironment | undefined;
  const optional = (): SchemaEnvironment => {
    made ??= schemaEnvironment(schema, { isRoot, typeName, hasOptionalOldSelf: true }) ?? plain;
    return made;
  };
  const rules: CompiledRule[] = [];
  let work = 0;
  for (const rule of schemaRules(schema)) {
    rules.push(yield* compileRule(rule, schema, { plain, optional }));
    work += compileWork(rule.rule) + compileWork(rule.messageExpression);
    if (work < STEP_WORK) continue;
    work = 0;
    yield;
  }
  return { rules, maxCardinality: maxCardinality(plain.declared) };
}

/** So much work is done in one step: some ten short rules, or a few milliseconds. */
const STEP_WORK = 2000;
/** To compile any expression costs as much as so many of its characters. */
const EXPRESSION_WORK = 100;

/** What it costs to compile an expression. The pattern of a call is a part of the text: it has no more work than the text. */
function compileWork(text: string): number {
  if (text === '') return 0;
  return EXPRESSION_WORK + text.length + (MATCHES.test(text) ? patternWork(text) : 0);
}

const MATCHES = /\b(?:matches|find|findAll)\b/u;

function* compileRule(source: SchemaRule, schema: JsonRecord, environments: Environments): Steps<CompiledRule> {
  const environment = source.optionalOldSelf === true ? environments.optional() : environments.plain;
  const expression =
    source.rule.trim() === '' ? undefined : yield* compileExpression(source.rule, environment, RULE_WORDS);
  const isReady = expression?.program !== undefined;
  const message =
    isReady && source.messageExpression !== ''
      ? yield* compileExpression(source.messageExpression, environment, MESSAGE_WORDS)
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

function* compileExpression(
  text: string,
  { environment, sizeHints }: SchemaEnvironment,
  words: ExpressionWords,
): Steps<CompiledExpression> {
  let program: CelProgram;
  try {
    program = yield* inSteps(environment, text);
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    const failed = error.issues.length > 0 ? words.compilation : words.instantiation;
    return { problem: `${failed}: ${error.message}` };
  }
  if (program.resultType.kind !== words.kind) return { problem: words.type };
  const maxCost = program.estimateCost(sizeHints).max;
  if (text.length > LONG_EXPRESSION) yield;
  return { program, maxCost };
}

/** Shorter expressions compile in a millisecond. */
const LONG_EXPRESSION = 2000;

function* inSteps(environment: CelEnvironment, text: string): Steps<CelProgram> {
  return text.length > LONG_EXPRESSION ? yield* environment.compileSteps(text) : environment.compile(text);
}
