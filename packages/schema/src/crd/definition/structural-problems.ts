/** Finds the reasons why a schema is not structural. */

import { type FieldError, fieldErrorText, fieldForbidden, fieldInvalid, fieldRequired } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { childPath, indexPath, keyPath } from '../error-path.ts';
import { isEqualJson } from '../object/equal-json.ts';
import { PatternError, Re2Pattern } from '../re2-pattern.ts';
import { isUnset } from './definition-dump.ts';
import { recordAt, recordsAt, textAt } from './definition-view.ts';
import { SCHEMA_ERRORS_MAX } from './schema-problems.ts';

type Level = 'field' | 'item' | 'root';

interface Walk {
  readonly errors: FieldError[];
}

/** The errors of a schema, sorted as kube-apiserver sorts them. */
export function structuralProblems(schema: JsonRecord, field: string): readonly FieldError[] {
  const walk: Walk = { errors: [] };
  checkSchema(schema, 'root', field, walk);
  checkComplete(schema, schema, { structure: field, rules: field }, walk);
  const texts = new Map(walk.errors.map((error) => [error, fieldErrorText(error)]));
  return walk.errors.toSorted((one, other) => ((texts.get(one) ?? '') < (texts.get(other) ?? '') ? -1 : 1));
}

function checkSchema(schema: JsonRecord, level: Level, path: string, walk: Walk): void {
  if (walk.errors.length > SCHEMA_ERRORS_MAX) return;
  const { errors } = walk;
  const items = recordAt(schema, 'items');
  if (textAt(schema, 'type') === 'array' && items === undefined) {
    errors.push(fieldRequired(childPath(path, 'items'), 'must be specified'));
  }
  if (items !== undefined) checkSchema(items, 'item', childPath(path, 'items'), walk);
  const properties = recordAt(schema, 'properties') ?? {};
  for (const [name, property] of Object.entries(properties)) {
    if (isRecord(property)) checkSchema(property, 'field', keyPath(childPath(path, 'properties'), name), walk);
  }
  checkAdditional(schema, level, path, walk);
  checkExtensions(schema, path, errors);
  checkRules(schema, { ...integerOrString(schema), level }, path, walk);
  checkTypes(schema, level, path, errors);
  checkMeta(schema, level, path, errors);
}

function checkAdditional(schema: JsonRecord, level: Level, path: string, walk: Walk): void {
  const additional = schema['additionalProperties'];
  if (additional === undefined || additional === null) return;
  const place = childPath(path, 'additionalProperties');
  if (level === 'root') walk.errors.push(fieldForbidden(place, 'must not be used at the root'));
  if (isRecord(additional)) checkSchema(additional, 'field', place, walk);
}

function checkExtensions(schema: JsonRecord, path: string, errors: FieldError[]): void {
  if (!isOn(schema, 'int-or-string')) return;
  for (const name of ['preserve-unknown-fields', 'embedded-resource']) {
    if (!isOn(schema, name)) continue;
    errors.push(fieldInvalid(extensionPath(path, name), true, 'must be false if x-kubernetes-int-or-string is true'));
  }
}

function checkTypes(schema: JsonRecord, level: Level, path: string, errors: FieldError[]): void {
  const type = textAt(schema, 'type');
  const place = childPath(path, 'type');
  const isEmbedded = isOn(schema, 'embedded-resource');
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? fieldRequired(place, detail) : fieldInvalid(place, type, detail));
  } else if (type === '' && !isOn(schema, 'int-or-string') && !isOn(schema, 'preserve-unknown-fields')) {
    errors.push(fieldRequired(place, `must not be empty ${LEVELS[level]}`));
  }
  if (isEmbedded && schema['additionalProperties'] !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(fieldForbidden(childPath(path, 'additionalProperties'), detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(fieldInvalid(place, type, 'must be object at the root'));
  }
}

const LEVELS: Readonly<Record<Level, string>> = {
  root: 'at the root',
  item: 'for specified array items',
  field: 'for specified object fields',
};

function checkMeta(schema: JsonRecord, level: Level, path: string, errors: FieldError[]): void {
  const properties = recordAt(schema, 'properties') ?? {};
  const isEmbedded = isOn(schema, 'embedded-resource');
  const isObject = level === 'root' || isEmbedded;
  for (const name of ['kind', 'apiVersion']) {
    const property = Object.hasOwn(properties, name) ? recordAt(properties, name) : undefined;
    if (property === undefined || !isObject || textAt(property, 'type') === 'string') continue;
    const place = childPath(keyPath(childPath(path, 'properties'), name), 'type');
    errors.push(fieldInvalid(place, textAt(property, 'type'), 'must be string'));
  }
  const metadata = Object.hasOwn(properties, 'metadata') ? recordAt(properties, 'metadata') : undefined;
  if (metadata !== undefined)
    checkMetadata(metadata, { isObject, level }, keyPath(childPath(path, 'properties'), 'metadata'), errors);
  if (isEmbedded && !isOn(schema, 'preserve-unknown-fields') && Object.keys(properties).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(fieldRequired(childPath(path, 'properties'), detail));
  }
}

function checkMetadata(
  metadata: JsonRecord,
  { isObject, level }: { readonly isObject: boolean; readonly level: Level },
  path: string,
  errors: FieldError[],
): void {
  const type = textAt(metadata, 'type');
  if (isObject && type !== 'object') errors.push(fieldInvalid(childPath(path, 'type'), type, 'must be object'));
  if (level !== 'root') return;
  const names = Object.keys(recordAt(metadata, 'properties') ?? {});
  const isAllowed = names.every((name) => name === 'name' || name === 'generateName');
  const others = Object.entries(metadata).filter(
    ([name, value]) => !['type', 'default', ...(isAllowed ? ['properties'] : [])].includes(name) && !isUnset(value),
  );
  if (others.length === 0) return;
  errors.push(
    fieldForbidden(
      path,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    ),
  );
}

interface RuleLevel {
  readonly level: Level;
  /** `anyOf` of an int-or-string names types, which is allowed. */
  readonly skipsAnyOf: boolean;
  /** The same of `allOf[0].anyOf`. */
  readonly skipsFirstAllOf: boolean;
}

const INTEGER_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

function integerOrString(schema: JsonRecord): Omit<RuleLevel, 'level'> {
  const [first] = recordsAt(schema, 'allOf');
  return {
    skipsAnyOf: isIntegerOrString(schema),
    skipsFirstAllOf: first !== undefined && isIntegerOrString(first),
  };
}

function isIntegerOrString(schema: JsonRecord): boolean {
  return isEqualJson(schema['anyOf'], INTEGER_OR_STRING);
}

function checkRules(schema: JsonRecord, at: RuleLevel, path: string, walk: Walk): void {
  const below = { level: at.level, skipsAnyOf: false, skipsFirstAllOf: false };
  if (!at.skipsAnyOf) checkJunctor(schema, 'anyOf', below, path, walk);
  for (const [index, one] of recordsAt(schema, 'allOf').entries()) {
    const skipsAnyOf = at.skipsFirstAllOf && index === 0;
    checkNested(one, { ...below, skipsAnyOf }, indexPath(childPath(path, 'allOf'), index), walk);
  }
  checkJunctor(schema, 'oneOf', below, path, walk);
  const not = recordAt(schema, 'not');
  if (not !== undefined) checkNested(not, below, childPath(path, 'not'), walk);
  const pattern = textAt(schema, 'pattern');
  if (pattern === '') return;
  const problem = patternProblem(pattern);
  if (problem === undefined) return;
  const detail = `must be a valid regular expression, but isn't: ${problem}`;
  walk.errors.push(fieldInvalid(childPath(path, 'pattern'), pattern, detail));
}

function checkJunctor(schema: JsonRecord, name: string, at: RuleLevel, path: string, walk: Walk): void {
  for (const [index, one] of recordsAt(schema, name).entries()) {
    checkNested(one, at, indexPath(childPath(path, name), index), walk);
  }
}

function patternProblem(pattern: string): string | undefined {
  try {
    new Re2Pattern(pattern).cost('');
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/** The keywords that are forbidden in a junctor: the name in JSON, and the words of the rule. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function checkNested(schema: JsonRecord, at: RuleLevel, path: string, walk: Walk): void {
  if (walk.errors.length > SCHEMA_ERRORS_MAX) return;
  checkRules(schema, at, path, walk);
  const below = { ...at, skipsAnyOf: false, skipsFirstAllOf: false };
  const items = recordAt(schema, 'items');
  if (items !== undefined) checkNested(items, below, childPath(path, 'items'), walk);
  const properties = recordAt(schema, 'properties') ?? {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property)) continue;
    checkNested(property, { ...below, level: 'field' }, keyPath(childPath(path, 'properties'), name), walk);
  }
  for (const [name, detail] of FORBIDDEN) {
    if (!isUnset(schema[name])) walk.errors.push(fieldForbidden(childPath(path, name), detail));
  }
  if (Object.hasOwn(properties, 'metadata')) {
    const place = keyPath(childPath(path, 'properties'), 'metadata');
    walk.errors.push(fieldForbidden(place, 'must not be specified in a nested context'));
  }
}

/** Where a rule stands, and where the value that it validates is declared. */
interface Places {
  readonly structure: string;
  readonly rules: string;
}

/** All that a junctor at the root validates must be declared outside of it. */
function checkComplete(rules: JsonRecord, structure: JsonRecord | undefined, at: Places, walk: Walk): void {
  if (structure === undefined) {
    walk.errors.push(fieldRequired(at.structure, `because it is defined in ${at.rules}`));
    return;
  }
  const not = recordAt(rules, 'not');
  if (not !== undefined) checkCompleteNested(not, structure, { ...at, rules: childPath(at.rules, 'not') }, walk);
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, one] of recordsAt(rules, name).entries()) {
      checkCompleteNested(one, structure, { ...at, rules: indexPath(childPath(at.rules, name), index) }, walk);
    }
  }
}

function checkCompleteNested(rules: JsonRecord, structure: JsonRecord | undefined, at: Places, walk: Walk): void {
  checkComplete(rules, structure, at, walk);
  if (structure === undefined) return;
  const items = recordAt(rules, 'items');
  if (items !== undefined) {
    const places = { structure: childPath(at.structure, 'items'), rules: childPath(at.rules, 'items') };
    checkCompleteNested(items, recordAt(structure, 'items'), places, walk);
  }
  const declared = recordAt(structure, 'properties') ?? {};
  for (const [name, property] of Object.entries(recordAt(rules, 'properties') ?? {})) {
    if (!isRecord(property)) continue;
    const places = {
      structure: keyPath(childPath(at.structure, 'properties'), name),
      rules: keyPath(childPath(at.rules, 'properties'), name),
    };
    checkCompleteNested(property, Object.hasOwn(declared, name) ? recordAt(declared, name) : undefined, places, walk);
  }
}

function isOn(schema: JsonRecord, extension: string): boolean {
  return schema[`x-kubernetes-${extension}`] === true;
}

function extensionPath(path: string, extension: string): string {
  return childPath(path, `x-kubernetes-${extension}`);
}
