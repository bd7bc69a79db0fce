/** Validates a schema of a definition, except for its structure. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { childPath, indexPath, keyPath } from '../error-path.ts';
import { isUnset } from './definition-dump.ts';
import { recordAt, recordsAt, textAt } from './definition-view.ts';
import { listTypeProblems } from './list-type-problems.ts';
import { ruleTextProblems } from './rule-text-problems.ts';

/** A walk over a schema ends with so many errors: a Status lists a hundred. */
export const SCHEMA_ERRORS_MAX = 1000;

/** Which faults are tolerated, because the stored definition has them. */
export interface SchemaTolerance {
  readonly allowsAnyType: boolean;
  readonly allowsAnySet: boolean;
  readonly allowsAnyKeys: boolean;
}

/** The result. */
export interface SchemaFaults {
  readonly errors: readonly FieldError[];
  /** The schemas with faults, and those around them. */
  readonly faulty: ReadonlySet<JsonRecord>;
}

interface Walk {
  readonly tolerance: SchemaTolerance;
  readonly errors: FieldError[];
  readonly faulty: Set<JsonRecord>;
}

interface At {
  readonly path: string;
  readonly isRoot: boolean;
  /** Why no default may be set here. */
  readonly noDefault: string | undefined;
  /** Within `apiVersion`, `kind` or `metadata` of an object. */
  readonly isMeta: boolean;
}

/** The faults of a schema and of all within it. */
export function schemaProblems(schema: JsonRecord, path: string, tolerance: SchemaTolerance): SchemaFaults {
  const walk: Walk = { tolerance, errors: [], faulty: new Set() };
  checkSchema(schema, { path, isRoot: true, noDefault: undefined, isMeta: false }, walk);
  return walk;
}

function checkSchema(schema: JsonRecord, at: At, walk: Walk): void {
  if (walk.errors.length > SCHEMA_ERRORS_MAX) return;
  const before = walk.errors.length;
  walk.errors.push(...wordProblems(schema, at, walk.tolerance));
  checkBelow(schema, at, walk);
  walk.errors.push(
    ...extensionProblems(schema, at.path),
    ...listTypeProblems(schema, at.path, walk.tolerance),
    ...ruleTextProblems(schema, at.path),
  );
  if (walk.errors.length > before) walk.faulty.add(schema);
}

function checkBelow(schema: JsonRecord, at: At, walk: Walk): void {
  const { path, noDefault, isMeta } = at;
  const below = { isRoot: false, noDefault, isMeta };
  const additional = recordAt(schema, 'additionalProperties');
  if (additional !== undefined) {
    const reason = isMeta ? 'inside additionalProperties applying to object metadata' : noDefault;
    checkSchema(additional, { ...below, noDefault: reason, path: childPath(path, 'additionalProperties') }, walk);
  }
  for (const [name, property] of Object.entries(recordAt(schema, 'properties') ?? {})) {
    if (isRecord(property)) checkSchema(property, propertyAt(schema, name, at), walk);
  }
  const not = recordAt(schema, 'not');
  if (not !== undefined) checkSchema(not, { ...below, path: childPath(path, 'not') }, walk);
  for (const name of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, one] of recordsAt(schema, name).entries()) {
      checkSchema(one, { ...below, path: indexPath(childPath(path, name), index) }, walk);
    }
  }
  checkMap(schema, 'definitions', { ...below, path }, walk);
  checkItems(schema, { ...below, path: childPath(path, 'items') }, walk);
  checkMap(schema, 'dependencies', { ...below, path }, walk);
}

function checkItems(schema: JsonRecord, at: At, walk: Walk): void {
  const items = recordAt(schema, 'items');
  if (items !== undefined) checkSchema(items, at, walk);
  for (const [index, one] of recordsAt(schema, 'items').entries()) {
    checkSchema(one, { ...at, path: indexPath(at.path, index) }, walk);
  }
}

function checkMap(schema: JsonRecord, name: string, at: At, walk: Walk): void {
  for (const [key, one] of Object.entries(recordAt(schema, name) ?? {})) {
    if (isRecord(one)) checkSchema(one, { ...at, path: keyPath(childPath(at.path, name), key) }, walk);
  }
}

function propertyAt(schema: JsonRecord, name: string, { path, isRoot, noDefault, isMeta }: At): At {
  const isObject = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const entersMeta = isObject && ['metadata', 'kind', 'apiVersion'].includes(name);
  return {
    path: keyPath(childPath(path, 'properties'), name),
    isRoot: false,
    isMeta: isMeta || entersMeta,
    noDefault: entersMeta && isRoot ? `in top-level ${name}` : noDefault,
  };
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Words that no schema of a definition may use, and the type that it may not have. */
function wordProblems(schema: JsonRecord, at: At, { allowsAnyType }: SchemaTolerance): readonly FieldError[] {
  const { path, noDefault, isMeta } = at;
  const errors: FieldError[] = [];
  const forbid = (word: string, detail: string): void => {
    errors.push(fieldForbidden(childPath(path, word), detail));
  };
  const type = textAt(schema, 'type');
  if (!allowsAnyType && type !== '' && !TYPES.includes(type)) {
    errors.push(fieldNotSupported(childPath(path, 'type'), type, TYPES));
  }
  if (noDefault !== undefined && (schema['default'] ?? undefined) !== undefined) {
    forbid('default', `must not be set ${noDefault}`);
  }
  for (const word of ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref']) {
    if (isUsed(schema[word], word)) forbid(word, `${word} is not supported`);
  }
  if (type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (recordsAt(schema, 'items').length > 0) forbid('items', 'items must be a schema object and not an array');
  if (isMeta && schema['x-kubernetes-embedded-resource'] === true) {
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  }
  if (schema['uniqueItems'] === true) {
    forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  const additional = schema['additionalProperties'];
  if (additional !== undefined && additional !== null && additional !== true && hasProperties(schema)) {
    forbid('additionalProperties', 'additionalProperties and properties are mutual exclusive');
  }
  return errors;
}

function hasProperties(schema: JsonRecord): boolean {
  return Object.keys(recordAt(schema, 'properties') ?? {}).length > 0;
}

/** Empty maps count as absent, but `dependencies`, `$ref` and `additionalItems` count whenever they are there. */
function isUsed(value: unknown, word: string): boolean {
  if (word === 'additionalItems') return value !== undefined && value !== null;
  if (word === '$ref') return typeof value === 'string';
  if (word === 'dependencies') return isRecord(value);
  return isRecord(value) ? Object.keys(value).length > 0 : !isUnset(value);
}

function extensionProblems(schema: JsonRecord, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const place = childPath(path, 'x-kubernetes-preserve-unknown-fields');
    errors.push(fieldInvalid(place, false, 'must be true or undefined'));
  }
  const mapType = schema['x-kubernetes-map-type'];
  if (typeof mapType !== 'string') return errors;
  const type = textAt(schema, 'type');
  if (type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified';
    const place = childPath(path, 'type');
    errors.push(type === '' ? fieldRequired(place, detail) : fieldInvalid(place, type, detail));
  }
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(fieldNotSupported(childPath(path, 'x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
  }
  return errors;
}
