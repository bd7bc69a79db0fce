/** The defaults of a schema must be valid values of it, without unknown fields. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { CustomRules } from '../custom-rules.ts';
import type { MetadataRules } from '../custom-schema.ts';
import { childPath, keyPath } from '../error-path.ts';
import { sortedJson } from '../go-value.ts';
import { valueProblems } from '../object/custom-validation.ts';
import { CoercionProblem, coerceValue, embeddedProblems } from '../object/embedded-objects.ts';
import { isMetaField, pruneValue } from '../object/prune-value.ts';
import { partOf, type SchemaPart } from '../schema-part.ts';
import { SCHEMA_ERRORS_MAX } from './schema-problems.ts';

/** How defaults are validated. */
export interface DefaultCheckOptions {
  readonly rules: CustomRules | undefined;
  readonly metadata: MetadataRules;
  /** Unknown fields in defaults are tolerated: the stored definition has some. */
  readonly allowsUnknown: boolean;
}

interface At {
  readonly path: string;
  readonly isRoot: boolean;
  readonly isMeta: boolean;
}

interface Walk {
  readonly options: DefaultCheckOptions;
  readonly errors: FieldError[];
}

/** The errors in the defaults of a structural schema. */
export function defaultProblems(schema: JsonRecord, path: string, options: DefaultCheckOptions): readonly FieldError[] {
  const walk: Walk = { options, errors: [] };
  checkPart(partOf(schema), { path, isRoot: true, isMeta: false }, walk);
  return walk.errors;
}

/** Defaults below `additionalProperties` are forbidden in metadata only, and looked at nowhere: so does kube-apiserver. */
function checkPart(part: SchemaPart, at: At, walk: Walk): void {
  if (walk.errors.length > SCHEMA_ERRORS_MAX) return;
  const isObject = part.isEmbedded || at.isRoot;
  const isMeta = at.isMeta && !isObject;
  if (part.default !== undefined) walk.errors.push(...problemsOf(part, { ...at, isMeta }, walk.options));
  if (part.items !== undefined) {
    checkPart(part.items, { path: childPath(at.path, 'items'), isRoot: false, isMeta }, walk);
  }
  for (const name of part.propertyNames()) {
    const property = part.property(name);
    if (property === undefined) continue;
    const place = keyPath(childPath(at.path, 'properties'), name);
    checkPart(property, { path: place, isRoot: false, isMeta: isMeta || (isObject && isMetaField(name)) }, walk);
  }
}

function problemsOf(part: SchemaPart, at: At, options: DefaultCheckOptions): readonly FieldError[] {
  const place = childPath(at.path, 'default');
  const errors: FieldError[] = [];
  const isObject = part.isEmbedded || at.isRoot;
  if (!at.isMeta && !options.allowsUnknown && pruneValue(part.default, part, isObject) !== part.default) {
    errors.push(fieldInvalid(place, sortedJson(part.default), 'must not have unknown fields'));
  }
  const shape = shapeProblems(part, place, options.metadata);
  if (shape.length > 0) return [...errors, ...shape];
  const values = valueProblems(part, part.default, place);
  if (values.length > 0) return [...errors, ...values];
  return [...errors, ...ruleProblems(part, place, at.isRoot, options.rules)];
}

function shapeProblems(part: SchemaPart, place: string, metadata: MetadataRules): readonly FieldError[] {
  try {
    coerceValue(part.default, part, place, { metadata });
  } catch (error) {
    if (error instanceof CoercionProblem) return [error.error];
    throw error;
  }
  return embeddedProblems(part.default, part, place, { metadata });
}

/** A default must pass the rules as a new value, and as a value that replaces itself. */
function ruleProblems(
  part: SchemaPart,
  field: string,
  isRoot: boolean,
  rules: CustomRules | undefined,
): readonly FieldError[] {
  if (rules === undefined) return [];
  const request = { schema: part.source, isRoot, value: part.default, field, ratchets: false };
  const asOld = rules.evaluate({ ...request, old: part.default });
  return asOld.errors.length > 0 ? asOld.errors : rules.evaluate({ ...request, old: undefined }).errors;
}
