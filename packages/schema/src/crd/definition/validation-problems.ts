/** Validates the schema of a version: all checks, in their order. */

import { type FieldError, fieldForbidden, fieldInvalid } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { CustomRules } from '../custom-rules.ts';
import type { MetadataRules } from '../custom-schema.ts';
import { childPath } from '../error-path.ts';
import { allSchemas, schemaDepth } from '../schema-walk.ts';
import { defaultProblems } from './default-problems.ts';
import { dumpSchema, setFields } from './definition-dump.ts';
import { recordAt, textAt } from './definition-view.ts';
import { type SchemaTolerance, schemaProblems } from './schema-problems.ts';
import { structuralProblems } from './structural-problems.ts';

/** Schemas may stand in one another so deep; all work on objects recurses with them. */
const DEPTH_MAX = 1000;

/** How a schema is validated. */
export interface ValidationCheckOptions {
  readonly rules: CustomRules | undefined;
  readonly metadata: MetadataRules;
  readonly tolerance: SchemaTolerance & {
    readonly allowsUnknownDefaults: boolean;
    readonly allowsNonStructural: boolean;
  };
  /** The rules and message expressions of the stored definition. */
  readonly stored: ReadonlySet<string>;
  /** The stored definition has the same schema. */
  readonly isUnchanged: boolean;
  /** A version with this schema has the subresource `status`. */
  readonly hasStatus: boolean;
}

/** The faults of the parent of `openAPIV3Schema`. */
export function validationProblems(
  holder: JsonRecord | undefined,
  path: string,
  options: ValidationCheckOptions,
): readonly FieldError[] {
  const schema = holder === undefined ? undefined : recordAt(holder, 'openAPIV3Schema');
  if (schema === undefined) return [];
  const field = childPath(path, 'openAPIV3Schema');
  if (schemaDepth(schema, DEPTH_MAX + 1) > DEPTH_MAX) {
    return [fieldInvalid(field, '', `schemas must not be nested deeper than ${DEPTH_MAX} levels`)];
  }
  const errors: FieldError[] = options.hasStatus ? [...rootProblems(schema, field)] : [];
  if (schema['nullable'] === true) {
    errors.push(fieldForbidden(childPath(field, 'nullable'), 'nullable cannot be true at the root'));
  }
  const unsupported = options.tolerance.allowsNonStructural ? undefined : unsupportedWord(schema);
  const structural = unsupported === undefined ? structureProblems(schema, field, options) : [];
  errors.push(...structural);
  const faults = schemaProblems(schema, field, options.tolerance);
  errors.push(...faults.errors);
  if (errors.length === 0 && unsupported !== undefined) errors.push(fieldInvalid(field, '', unsupported));
  const checksRules = unsupported === undefined && structural.length === 0 && !options.tolerance.allowsNonStructural;
  if (!checksRules || options.rules === undefined) return errors;
  const { stored, isUnchanged } = options;
  return [...errors, ...options.rules.check({ schema, field, faulty: faults.faulty, stored, isUnchanged })];
}

function structureProblems(
  schema: JsonRecord,
  field: string,
  { rules, metadata, tolerance }: ValidationCheckOptions,
): readonly FieldError[] {
  if (tolerance.allowsNonStructural) return [];
  const structural = structuralProblems(schema, field);
  if (structural.length > 0) return structural;
  return defaultProblems(schema, field, { rules, metadata, allowsUnknown: tolerance.allowsUnknownDefaults });
}

const ROOT_FIELDS: readonly string[] = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** With the subresource `status` its schema is taken out of the root: other rules of the root would be lost. */
function rootProblems(schema: JsonRecord, field: string): readonly FieldError[] {
  for (const name of setFields(schema)) {
    const type = textAt(schema, 'type');
    if (name === 'Type' && type !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [fieldInvalid(childPath(field, 'type'), type, detail)];
    }
    if (!ROOT_FIELDS.includes(name)) {
      const detail = `only [${ROOT_FIELDS.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
      return [fieldInvalid(field, dumpSchema(schema), detail)];
    }
  }
  return [];
}

const UNSUPPORTED: readonly (readonly [string, string])[] = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
];

/** Why kube-apiserver cannot even read the schema as a structural one. Other checks mostly say it better. */
function unsupportedWord(schema: JsonRecord): string | undefined {
  for (const one of allSchemas(schema)) {
    for (const [word, name] of UNSUPPORTED) {
      if (isUsed(one[word])) return `OpenAPIV3Schema '${name}' is not supported`;
    }
    if (Array.isArray(one['items'])) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    if (one['x-kubernetes-preserve-unknown-fields'] === false) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
  }
  return undefined;
}

function isUsed(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
