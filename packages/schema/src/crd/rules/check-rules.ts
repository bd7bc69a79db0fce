/** Validates the rules of a schema when a definition is written: they must compile, and must not cost too much. */
import { type FieldError, fieldForbidden, fieldInternal, fieldInvalid } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { RuleCheck } from '../custom-rules.ts';
import { childPath, indexPath, keyPath } from '../error-path.ts';
import { type CompiledRule, type CompiledRules, compiledRules } from './compiled-rule.ts';
import { RULE_ESTIMATE_MAX, SCHEMA_ESTIMATE_MAX } from './rule-limits.ts';
import { ruleDump, schemaRules } from './schema-rule.ts';

/** The most expensive rules that an error names. */
const NAMED_MAX = 4;

/** Where a schema stands. */
interface At {
  readonly path: string;
  readonly isRoot: boolean;
  /** How often values can be in one object; `undefined` when something around them has no limit. */
  readonly cardinality: number | undefined;
  /** The list around the schema whose items have no old values. */
  readonly uncorrelated: string | undefined;
}

/** The estimates of all rules. */
class Estimates {
  total = 0;
  readonly #large: { readonly path: string; readonly cost: number }[] = [];

  observe(path: string, cost: number): void {
    this.total += cost;
    if (cost >= SCHEMA_ESTIMATE_MAX / 100) this.#large.push({ path, cost });
  }

  /** The rules that cost the most, those first. */
  mostExpensive(): readonly string[] {
    return this.#large
      .toSorted((a, b) => b.cost - a.cost)
      .slice(0, NAMED_MAX)
      .map(({ path }) => path);
  }
}

/** The errors in the rules of a schema and of the schemas within it. */
export function ruleProblems(request: RuleCheck): readonly FieldError[] {
  const { schema, field } = request;
  const errors: FieldError[] = [];
  const estimates = new Estimates();
  visit(schema, { path: field, isRoot: true, cardinality: 1, uncorrelated: undefined }, { request, errors, estimates });
  if (estimates.total <= SCHEMA_ESTIMATE_MAX) return errors;
  const shared = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  for (const path of estimates.mostExpensive()) errors.push(fieldForbidden(path, shared));
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  errors.push(fieldForbidden(field, excess(name, estimates.total, SCHEMA_ESTIMATE_MAX)));
  return errors;
}

/** The results of a walk through a schema. */
interface Walk {
  readonly request: RuleCheck;
  readonly errors: FieldError[];
  readonly estimates: Estimates;
}

/** Inner schemas first, as kube-apiserver does. */
function visit(schema: JsonRecord, at: At, walk: Walk): void {
  for (const [part, place] of partsBelow(schema, at)) visit(part, place, walk);
  const { faulty, isUnchanged = false } = walk.request;
  if (schemaRules(schema).length === 0 || faulty.has(schema)) return;
  walk.errors.push(...checkSchema(schema, at, walk.estimates, isUnchanged));
}

/** The schemas of values below: rules in other schemas, such as those of `anyOf`, are not allowed. */
function* partsBelow(schema: JsonRecord, at: At): Generator<readonly [JsonRecord, At], void, undefined> {
  const cardinality = product(at.cardinality, elements(schema));
  const below = { isRoot: false, cardinality, uncorrelated: at.uncorrelated };
  const additional = schema['additionalProperties'];
  if (isRecord(additional)) yield [additional, { ...below, path: childPath(at.path, 'additionalProperties') }];
  const properties = schema['properties'];
  for (const [name, part] of isRecord(properties) ? Object.entries(properties) : []) {
    if (isRecord(part)) yield [part, { ...below, path: keyPath(childPath(at.path, 'properties'), name) }];
  }
  const items = schema['items'];
  if (!isRecord(items)) return;
  const uncorrelated = at.uncorrelated ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : at.path);
  yield [items, { ...below, uncorrelated, path: childPath(at.path, 'items') }];
}

/** Are values of the schema whole objects, with apiVersion, kind and metadata? */
function isWhole(schema: JsonRecord, { isRoot }: At): boolean {
  return isRoot || schema['x-kubernetes-embedded-resource'] === true;
}

function checkSchema(schema: JsonRecord, at: At, estimates: Estimates, isUnchanged: boolean): readonly FieldError[] {
  const place = childPath(at.path, 'x-kubernetes-validations');
  const compiled = compiledRules(schema, isWhole(schema, at));
  if (compiled === undefined) {
    const reason = 'unable to convert structural schema to CEL declarations';
    const detail = `internal error: failed to construct type information for x-kubernetes-validations rules: ${reason}`;
    return [fieldInternal(place, detail)];
  }
  return compiled.rules.flatMap((rule, index) => {
    const path = indexPath(place, index);
    return [
      ...costProblems(rule, compiled, { ...at, path }, estimates, isUnchanged),
      ...textProblems(rule, path),
      ...messageProblems(rule, path, estimates, isUnchanged),
      ...oldSelfProblems(rule, path, at.uncorrelated),
    ];
  });
}

function costProblems(
  { expression }: CompiledRule,
  compiled: CompiledRules,
  { path, cardinality }: At,
  estimates: Estimates,
  isUnchanged: boolean,
): readonly FieldError[] {
  const place = childPath(path, 'rule');
  const cost = (expression?.maxCost ?? 0) * (cardinality ?? compiled.maxCardinality);
  estimates.observe(place, cost);
  if (isUnchanged || cost <= RULE_ESTIMATE_MAX) return [];
  return [fieldForbidden(place, excess('estimated rule cost', cost, RULE_ESTIMATE_MAX))];
}

function textProblems({ expression, source }: CompiledRule, path: string): readonly FieldError[] {
  const problem = expression?.problem;
  return problem === undefined ? [] : [fieldInvalid(childPath(path, 'rule'), ruleDump(source), problem)];
}

function messageProblems(
  { message, source }: CompiledRule,
  path: string,
  estimates: Estimates,
  isUnchanged: boolean,
): readonly FieldError[] {
  if (message === undefined) return [];
  const place = childPath(path, 'messageExpression');
  if (message.problem !== undefined) return [fieldInvalid(place, ruleDump(source), message.problem)];
  estimates.observe(place, message.maxCost);
  if (isUnchanged || message.maxCost <= RULE_ESTIMATE_MAX) return [];
  return [fieldForbidden(place, excess('estimated messageExpression cost', message.maxCost, RULE_ESTIMATE_MAX))];
}

function oldSelfProblems(
  { usesOldSelf, source }: CompiledRule,
  path: string,
  uncorrelated: string | undefined,
): readonly FieldError[] {
  if (usesOldSelf) {
    if (uncorrelated === undefined) return [];
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    return [fieldInvalid(childPath(path, 'rule'), source.rule, detail)];
  }
  if (source.optionalOldSelf === undefined) return [];
  const detail = 'may not be set if oldSelf is not used in rule';
  return [fieldInvalid(childPath(path, 'optionalOldSelf'), source.optionalOldSelf, detail)];
}

/** By how much a schema multiplies the values below it; `undefined` without a limit. */
function elements(schema: JsonRecord): number | undefined {
  if (schema['type'] === 'array') return limitOf(schema['maxItems']);
  if (schema['type'] !== 'object' || schema['additionalProperties'] === undefined) return 1;
  return limitOf(schema['maxProperties']);
}

function limitOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Math.max(0, Number(value)) : undefined;
}

function product(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a * b;
}

function excess(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return (
    `${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and ` +
    'maxLength where arrays, maps, and strings are declared)'
  );
}
