/** Validates an object of a custom kind by its schema. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { Findings } from '../../findings.ts';
import type { CustomRules } from '../custom-rules.ts';
import { scaleReplicas, scaleSelector } from '../custom-scale.ts';
import type { CustomSchema } from '../custom-schema.ts';
import { partOf, type SchemaPart } from '../schema-part.ts';
import { traitsOf } from '../schema-traits.ts';
import { embeddedProblems } from './embedded-objects.ts';
import { repeatedItems } from './list-uniqueness.ts';
import { OldValue } from './old-value.ts';
import { hasCelRules } from './rule-presence.ts';
import { checkValue } from './value-check.ts';
import { type MatchLimits, ValueWalk } from './value-walk.ts';

/** `subresources.scale` of a version. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** How an object is validated. */
export interface CustomValidationOptions {
  /** The object that is there now: unchanged values are not validated again. Default: the object is new. */
  readonly old?: JsonRecord | undefined;
  /** A write of `/status`: only `status` is validated by the schema, and all rules. Default: a write of the object. */
  readonly isStatus?: boolean | undefined;
  readonly scale?: ScalePaths | undefined;
  /** Evaluates the rules of the schema. Default: they are not evaluated. */
  readonly rules?: CustomRules | undefined;
  /** The caller ends work that takes too long: match long texts as well. Default: false, they are refused. */
  readonly hasDeadline?: boolean | undefined;
}

/** Validates an object, except for its metadata: the verbs do that. */
export function validateObject(
  schema: CustomSchema,
  object: JsonRecord,
  { old, isStatus = false, scale, rules, hasDeadline = false }: CustomValidationOptions = {},
): Findings {
  const part = partOf(schema.source);
  const limits = hasDeadline ? DEADLINE_LIMITS : undefined;
  const errors: FieldError[] = [...schemaProblems(part, object, old, { isStatus, limits })];
  if (scale !== undefined) errors.push(...scaleProblems(object, scale, isStatus));
  const { hasEmbedded, hasUniqueLists } = traitsOf(schema.source);
  if (hasEmbedded && !isStatus) errors.push(...embeddedProblems(object, part, '', { metadata: schema.metadata }));
  if (hasUniqueLists) errors.push(...listProblems(part, object, old));
  if (rules === undefined || !hasCelRules(schema.source)) return { errors, warnings: [] };
  if (errors.some(isBlocking)) return { errors: [...errors, NOT_CHECKED], warnings: [] };
  const found = rules.evaluate({ schema: schema.source, isRoot: true, value: object, old, field: '' });
  return { errors: [...errors, ...found.errors], warnings: found.warnings };
}

/** A value outside of an object, such as a default, validated by its schema. Its field is the first part of all paths. */
export function valueProblems(part: SchemaPart, value: unknown, field: string): readonly FieldError[] {
  const walk = new ValueWalk(field);
  checkValue(part, value, { walk, old: undefined, isRoot: false, isInObject: false });
  return walk.errors;
}

/** Some seconds when every instruction is busy. A text of 1.5 MB fits with the pattern of a DNS name, and takes 20 ms. */
const DEADLINE_LIMITS: MatchLimits = { text: Infinity, object: 100_000_000 };

function schemaProblems(
  part: SchemaPart,
  object: JsonRecord,
  old: JsonRecord | undefined,
  { isStatus, limits }: { readonly isStatus: boolean; readonly limits: MatchLimits | undefined },
): readonly FieldError[] {
  const oldObject = old === undefined ? undefined : new OldValue(part, object, old);
  if (!isStatus) {
    const walk = new ValueWalk('', limits);
    checkValue(part, object, { walk, old: oldObject, isRoot: true, isInObject: true });
    return walk.errors;
  }
  const status = part.property('status');
  if (status === undefined || !Object.hasOwn(object, 'status')) return [];
  const walk = new ValueWalk('status', limits);
  const context = { walk, old: oldObject?.member('status'), isRoot: true, isInObject: true };
  checkValue(status, object['status'], context);
  return walk.errors;
}

/** Repeated items of an object whose old state has some are tolerated. */
function listProblems(part: SchemaPart, object: JsonRecord, old: JsonRecord | undefined): readonly FieldError[] {
  const errors = repeatedItems(object, part);
  if (errors.length === 0 || old === undefined) return errors;
  return repeatedItems(old, part).length > 0 ? [] : errors;
}

const INT32_MAX = 2 ** 31 - 1;

function scaleProblems(object: JsonRecord, scale: ScalePaths, isStatus: boolean): readonly FieldError[] {
  return [
    ...(isStatus ? [] : replicasProblems(object, scale.specReplicasPath)),
    ...replicasProblems(object, scale.statusReplicasPath),
    ...(scale.labelSelectorPath === undefined ? [] : selectorProblems(object, scale.labelSelectorPath)),
  ];
}

function replicasProblems(object: JsonRecord, path: string): readonly FieldError[] {
  const { value = 0, problem } = scaleReplicas(object, path);
  if (problem !== undefined) return [fieldInvalid(path, 0, problem)];
  if (value < 0) return [fieldInvalid(path, value, 'should be a non-negative integer')];
  return value > INT32_MAX ? [fieldInvalid(path, value, `should be less than or equal to ${INT32_MAX}`)] : [];
}

function selectorProblems(object: JsonRecord, path: string): readonly FieldError[] {
  const { problem } = scaleSelector(object, path);
  return problem === undefined ? [] : [fieldInvalid(path, '', problem)];
}

/** After these errors the rules are not evaluated: they rely on types and sizes. */
function isBlocking({ type }: FieldError): boolean {
  return BLOCKING.has(type);
}

const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const NOT_CHECKED = fieldInvalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
