/** Validates a value by a schema: types, bounds, members, items and junctors, with the messages of kube-apiserver. */

import { type FieldError, fieldRequired, fieldTooMany, quote } from '@listwatch/api';
import { isJsonNumber, isRecord, type JsonRecord } from '@listwatch/api/values';
import { sortedJson } from '../go-value.ts';
import type { SchemaPart } from '../schema-part.ts';
import { checkNumber } from './number-check.ts';
import type { OldValue } from './old-value.ts';
import { type PartRules, rulesOf } from './part-rules.ts';
import { checkText, checkType } from './scalar-check.ts';
import type { ValueWalk } from './value-walk.ts';

/** The context of a value: its old value and its place. */
export interface ValueContext {
  readonly walk: ValueWalk;
  /** `undefined`: there is none, and nothing is tolerated. */
  readonly old: OldValue | undefined;
  /** It is the object itself: its `apiVersion` and `kind` are always validated. */
  readonly isRoot: boolean;
  /** Is it a value of an object? For a default int-or-string is no restriction, and unknown formats are one. */
  readonly isInObject: boolean;
}

/**
 * Validates a value. Gives the number of checks that fit, by which kube-apiserver chooses the branch of a junctor that it reports.
 * Errors of a value that has not changed are taken back.
 */
export function checkValue(part: SchemaPart, value: unknown, context: ValueContext): number {
  const { walk, old } = context;
  const before = walk.errors.length;
  const rules = rulesOf(part);
  const fitting = isFlat(value, rules)
    ? checkFlat(part, rules, value, context)
    : checkDeep(part, rules, value, context);
  if (old !== undefined && walk.errors.length > before && old.isUnchanged()) walk.keepFirst(before);
  return fitting;
}

/** Is it validated without a look at other values or schemas? */
function isFlat(value: unknown, rules: PartRules): boolean {
  return (typeof value !== 'object' || value === null) && (value === null || !rules.hasJunctors);
}

function checkFlat(part: SchemaPart, rules: PartRules, value: unknown, context: ValueContext): number {
  const { walk } = context;
  if (value === null) return checkNull(part, rules, context);
  let fitting = checkOwnType(part, rules, value, context) + 2;
  fitting += checkScalar(part, rules, value, context);
  checkEnum(rules, value, walk);
  return fitting + 2;
}

function checkNull(part: SchemaPart, rules: PartRules, { walk, isInObject }: ValueContext): number {
  const types = typesOf(part, isInObject);
  const fits =
    types.length === 0 || part.isNullable || walk.typeInvalid('null', `must be of type ${types.join(',')}: "null"`);
  checkEnum(rules, null, walk);
  return fits ? 1 : 0;
}

function typesOf(part: SchemaPart, isInObject: boolean): readonly string[] {
  return part.isIntOrString && !isInObject ? (part.type === '' ? [] : [part.type]) : part.types;
}

function checkOwnType(part: SchemaPart, rules: PartRules, value: unknown, context: ValueContext): number {
  const types = typesOf(part, context.isInObject);
  const format = context.isInObject ? rules.format : rules.givenFormat;
  if (types.length === 0 && format === '') return 0;
  return checkType(value, types, format, context.walk) ? 2 : 1;
}

function checkScalar(part: SchemaPart, rules: PartRules, value: unknown, { walk, isInObject }: ValueContext): number {
  if (typeof value === 'string') {
    checkText(value, rules, walk);
    if (rules.isInFormat === undefined) return 1;
    if (!rules.isInFormat(value)) walk.typeInvalid(value, `must be of type ${rules.format}: ${quote(value)}`);
    return 2;
  }
  if (!isJsonNumber(value)) return 0;
  checkNumber(value, typesOf(part, isInObject), rules, walk);
  return 2;
}

function checkEnum({ enumValues }: PartRules, value: unknown, walk: ValueWalk): void {
  if (enumValues === undefined || enumValues.has(value)) return;
  const shown = sortedJson(value);
  walk.add({ type: 'FieldValueNotSupported', field: walk.field(), value: shown, detail: enumValues.listed });
}

function checkDeep(part: SchemaPart, rules: PartRules, value: unknown, context: ValueContext): number {
  const { walk } = context;
  let fitting = checkOwnType(part, rules, value, context);
  fitting += 2 + (rules.hasJunctors ? checkJunctors(rules, value, context) : 0);
  if (Array.isArray(value)) fitting += 2 + checkItems(part, rules, value, context);
  else fitting += checkScalar(part, rules, value, context);
  checkEnum(rules, value, walk);
  if (isRecord(value)) fitting += 1 + checkMembers(part, rules, value, context);
  return fitting + 2;
}

function checkItems(
  part: SchemaPart,
  rules: PartRules,
  list: readonly unknown[],
  { walk, old, isInObject }: ValueContext,
): number {
  let fitting = 0;
  const { items } = part;
  if (items !== undefined) {
    for (const [index, item] of list.entries()) {
      if (walk.isFull) break;
      walk.enter(index);
      const context = { walk, old: old?.item(index), isRoot: false, isInObject };
      fitting += checkIfFlat(items, item, context) ?? checkValue(items, item, context);
      walk.leave();
    }
  }
  const count = list.length;
  if (rules.minItems !== undefined && count < rules.minItems) {
    walk.invalid(count, `should have at least ${rules.minItems} items`);
  }
  if (rules.maxItems !== undefined && count > rules.maxItems) {
    walk.add(fieldTooMany(walk.field(), count, rules.maxItems));
  }
  return fitting;
}

/** Validates a flat value in place of `checkValue`, without a generator; `undefined` for others. */
function checkIfFlat(part: SchemaPart, value: unknown, context: ValueContext): number | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const rules = rulesOf(part);
  if (!isFlat(value, rules)) return undefined;
  const { walk, old } = context;
  const before = walk.errors.length;
  const fitting = checkFlat(part, rules, value, context);
  if (old !== undefined && walk.errors.length > before && old.isUnchanged()) walk.keepFirst(before);
  return fitting;
}

function checkMembers(
  part: SchemaPart,
  rules: PartRules,
  record: JsonRecord,
  { walk, old, isRoot, isInObject }: ValueContext,
): number {
  const names = Object.keys(record);
  checkMemberCount(rules, names.length, walk);
  let fitting = 0;
  for (const name of names) {
    if (walk.isFull) break;
    const property = part.property(name);
    const inner = property ?? part.additional;
    if (inner === undefined) {
      if (part.forbidsAdditional) walk.addAt(name, `${walk.name()}.${name} in body is a forbidden property`);
      continue;
    }
    if (property === undefined) walk.enterOther(name);
    else walk.enter(name);
    const isValidatedAlways = isRoot && (name === 'kind' || name === 'apiVersion');
    const context = { walk, old: isValidatedAlways ? undefined : old?.member(name), isRoot: false, isInObject };
    fitting += checkIfFlat(inner, record[name], context) ?? checkValue(inner, record[name], context);
    walk.leave();
  }
  for (const name of rules.required) {
    if (!Object.hasOwn(record, name)) walk.add(fieldRequired(walk.field(name)));
  }
  return fitting;
}

function checkMemberCount({ minProperties, maxProperties }: PartRules, count: number, walk: ValueWalk): void {
  if (minProperties !== undefined && count < minProperties) {
    walk.invalid(count, `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    walk.add(fieldTooMany(walk.field(), count, maxProperties));
  }
}

/** One branch of a junctor. */
interface Branch {
  readonly errors: readonly FieldError[];
  readonly fitting: number;
}

function checkBranch(part: SchemaPart, value: unknown, { walk, isInObject }: ValueContext): Branch {
  // Unchanged values below a branch are validated: only the value with the junctor may be tolerated as a whole.
  const context = { walk, old: undefined, isRoot: false, isInObject };
  const outer = walk.open();
  const rules = rulesOf(part);
  const fitting = isFlat(value, rules)
    ? checkFlat(part, rules, value, context)
    : checkDeep(part, rules, value, context);
  return { errors: walk.close(outer), fitting };
}

function checkJunctors(rules: PartRules, value: unknown, context: ValueContext): number {
  const { walk } = context;
  const name = quote(walk.name());
  let fitting = 0;
  if (rules.anyOf.length > 0) fitting += checkAnyOf(rules.anyOf, value, context, name);
  if (rules.oneOf.length > 0) fitting += checkOneOf(rules.oneOf, value, context, name);
  if (rules.allOf.length > 0) fitting += checkAllOf(rules.allOf, value, context, name);
  if (rules.not !== undefined && checkBranch(rules.not, value, context).errors.length === 0) {
    walk.general(`${name} must not validate the schema (not)`);
  }
  return fitting;
}

type Junctor = (parts: readonly SchemaPart[], value: unknown, context: ValueContext, name: string) => number;

const checkAnyOf: Junctor = function checkAnyOf(parts, value, context, name) {
  let best: Branch | undefined;
  for (const part of parts) {
    const branch = checkBranch(part, value, context);
    if (branch.errors.length === 0) return branch.fitting;
    if (best === undefined || branch.fitting > best.fitting) best = branch;
  }
  context.walk.general(`${name} must validate at least one schema (anyOf)`);
  return merge(best, context.walk);
};

const checkOneOf: Junctor = function checkOneOf(parts, value, context, name) {
  let best: Branch | undefined;
  let first: Branch | undefined;
  let valid = 0;
  for (const part of parts) {
    const branch = checkBranch(part, value, context);
    if (branch.errors.length === 0) {
      valid += 1;
      best = undefined;
      first ??= branch;
    } else if (valid === 0 && (best === undefined || branch.fitting > best.fitting)) best = branch;
  }
  if (valid === 1) return first?.fitting ?? 0;
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  context.walk.general(`${name} must validate one and only one schema (oneOf). ${found}`);
  return merge(best, context.walk);
};

const checkAllOf: Junctor = function checkAllOf(parts, value, context, name) {
  let valid = 0;
  let fitting = 0;
  for (const part of parts) {
    const branch = checkBranch(part, value, context);
    if (branch.errors.length === 0) valid += 1;
    fitting += merge(branch, context.walk);
  }
  if (valid !== parts.length) {
    context.walk.general(`${name} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  }
  return fitting;
};

function merge(branch: Branch | undefined, walk: ValueWalk): number {
  for (const error of branch?.errors ?? []) walk.add(error);
  return branch?.fitting ?? 0;
}
