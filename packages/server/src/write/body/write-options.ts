/** The options of create, update and patch. */

import {
  type FieldError,
  fieldForbidden,
  fieldNotSupported,
  fieldRequired,
  firstValue,
  invalid,
  META_GROUP,
  PARAM,
  parseBoolean,
  parseQuery,
  type Query,
} from '@listwatch/api';
import { validateManagerName } from '@listwatch/rules/internal';

/** How the server treats unknown and repeated fields: the option `fieldValidation`. */
export type FieldValidation = 'Ignore' | 'Strict' | 'Warn';

/** The parsed options. */
export interface WriteOptions {
  /** Do everything except the commit. */
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** The field manager; `''` when the request has none. */
  readonly fieldManager: string;
  /** Take fields that other managers own (apply only). */
  readonly force: boolean;
}

/** The kind of the options: Kubernetes names them after the verb, and an apply has rules of its own. */
export type OptionsKind = 'ApplyOptions' | 'CreateOptions' | 'PatchOptions' | 'UpdateOptions';

const FIELD_VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

/** Reads the options from a query. Throws the 422 with all errors. */
export function readWriteOptions(kind: OptionsKind, queryString: string): WriteOptions {
  const query = parseQuery(queryString);
  const fieldManager = firstValue(query, PARAM.fieldManager) ?? '';
  const fieldValidation = firstValue(query, PARAM.fieldValidation) ?? '';
  const dryRun = query.get(PARAM.dryRun) ?? [];
  const errors = [
    ...(kind === 'PatchOptions' ? validateForce(query) : []),
    ...(kind === 'ApplyOptions' && fieldManager === ''
      ? [fieldRequired(PARAM.fieldManager, 'is required for apply patch')]
      : []),
    ...validateManagerName(fieldManager, PARAM.fieldManager),
    ...validateDryRun(dryRun),
    ...(FIELD_VALIDATIONS.includes(fieldValidation)
      ? []
      : [fieldNotSupported(PARAM.fieldValidation, fieldValidation, FIELD_VALIDATIONS)]),
  ];
  if (errors.length > 0) {
    throw invalid({ group: META_GROUP, kind: kind === 'ApplyOptions' ? 'PatchOptions' : kind }, '', errors);
  }
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: asFieldValidation(fieldValidation),
    fieldManager,
    force: kind === 'ApplyOptions' && parseBoolean(firstValue(query, PARAM.force)),
  };
}

/** The errors in the values of `dryRun`: each must be `All`. */
export function validateDryRun(values: readonly string[]): readonly FieldError[] {
  return values.every((value) => value === 'All') ? [] : [fieldNotSupported(PARAM.dryRun, values, ['All'])];
}

function validateForce(query: Query): readonly FieldError[] {
  if (!query.has(PARAM.force)) return [];
  return [fieldForbidden(PARAM.force, 'may not be specified for non-apply patch')];
}

function asFieldValidation(text: string): FieldValidation {
  return text === 'Ignore' || text === 'Strict' ? text : 'Warn';
}
