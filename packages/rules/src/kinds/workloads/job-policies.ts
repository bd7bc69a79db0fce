/** The rules for the policies that make a Job fail or succeed early. */

import {
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  quote,
  utf8Length,
} from '@listwatch/api';
import { isJsonNumber, type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { notNegative } from '../../validation/count-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { indexesProblem } from './job-indexes.ts';

type Errors = readonly FieldError[];

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const RULES_MAX = 20;
const EXIT_CODES_MAX = 255;

/** The rules for `podFailurePolicy` of the spec of a job. */
export function validateFailurePolicy(spec: JsonRecord, field: string): Errors {
  const rules = recordsOf(recordOf(spec['podFailurePolicy'])['rules']);
  const podSpec = recordOf(recordOf(spec['template'])['spec']);
  const names = [...recordsOf(podSpec['containers']), ...recordsOf(podSpec['initContainers'])].map(({ name }) => name);
  const perIndex = spec['backoffLimitPerIndex'] !== undefined;
  return [
    ...(rules.length > RULES_MAX ? [fieldTooMany(`${field}.rules`, rules.length, RULES_MAX)] : []),
    ...itemErrors(rules, (rule, index) => validateRule(rule, new Set(names), perIndex, `${field}.rules[${index}]`)),
  ];
}

function validateRule(rule: JsonRecord, names: ReadonlySet<unknown>, perIndex: boolean, field: string): Errors {
  const { onExitCodes } = rule;
  const conditions = recordsOf(rule['onPodConditions']);
  const which = 'OnExitCodes and OnPodConditions';
  return [
    ...validateAction(textOf(rule['action']), perIndex, `${field}.action`),
    ...(onExitCodes === undefined ? [] : validateExitCodes(recordOf(onExitCodes), names, `${field}.onExitCodes`)),
    ...(conditions.length > RULES_MAX ? [fieldTooMany(`${field}.onPodConditions`, conditions.length, RULES_MAX)] : []),
    ...itemErrors(conditions, (one, index) => validateCondition(one, `${field}.onPodConditions[${index}]`)),
    ...(onExitCodes !== undefined && conditions.length > 0
      ? [fieldInvalid(field, undefined, `specifying both ${which} is not supported`)]
      : []),
    ...(onExitCodes === undefined && conditions.length === 0
      ? [fieldInvalid(field, undefined, `specifying one of ${which} is required`)]
      : []),
  ];
}

function validateAction(action: string, perIndex: boolean, field: string): Errors {
  if (action === 'FailIndex' && !perIndex) {
    return [fieldInvalid(field, action, 'requires the backoffLimitPerIndex to be set')];
  }
  return choice(action, ACTIONS, field);
}

function validateCondition(condition: JsonRecord, field: string): Errors {
  const type = textOf(condition['type']);
  return [
    ...checkQualifiedName(type).map((complaint) => fieldInvalid(`${field}.type`, type, complaint)),
    ...choice(textOf(condition['status']), STATUSES, `${field}.status`),
  ];
}

/** Checks a value against a list; the error about a missing value shows the list. */
function choice(value: string, supported: readonly string[], field: string): Errors {
  if (value === '') return [fieldRequired(field, `valid values: [${supported.map(quote).join(' ')}]`)];
  return supported.includes(value) ? [] : [fieldNotSupported(field, value, supported)];
}

function validateExitCodes(codes: JsonRecord, names: ReadonlySet<unknown>, field: string): Errors {
  const { operator, containerName } = codes;
  const values = listOf(codes['values']).map(numberOf);
  const place = `${field}.values`;
  const seen = new Set<number>();
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);
  const unknownName = 'must be one of the container or initContainer names in the pod template';
  return [
    ...choice(textOf(operator), OPERATORS, `${field}.operator`),
    ...(containerName === undefined || names.has(containerName)
      ? []
      : [fieldInvalid(`${field}.containerName`, containerName, unknownName)]),
    ...(values.length === 0 ? [fieldInvalid(place, values, 'at least one value is required')] : []),
    ...(values.length > EXIT_CODES_MAX ? [fieldTooMany(place, values.length, EXIT_CODES_MAX)] : []),
    ...itemErrors(values, (value, index) => {
      const twice = seen.has(value);
      seen.add(value);
      return [
        ...(operator === 'In' && value === 0
          ? [fieldInvalid(`${place}[${index}]`, value, 'must not be 0 for the In operator')]
          : []),
        ...(twice ? [fieldDuplicate(`${place}[${index}]`, value)] : []),
      ];
    }),
    ...(isOrdered ? [] : [fieldInvalid(place, values, 'must be ordered')]),
  ];
}

const INDEXES_TEXT_MAX = 64 * 1024;

/** The rules for `successPolicy` of the spec of an indexed job. */
export function validateSuccessPolicy(spec: JsonRecord, field: string): Errors {
  const rules = recordsOf(recordOf(spec['successPolicy'])['rules']);
  const none = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...(rules.length === 0 ? [fieldRequired(`${field}.rules`, none)] : []),
    ...(rules.length > RULES_MAX ? [fieldTooMany(`${field}.rules`, rules.length, RULES_MAX)] : []),
    ...itemErrors(rules, (rule, index) =>
      validateSuccessRule(rule, numberOf(spec['completions']), `${field}.rules[${index}]`),
    ),
  ];
}

function validateSuccessRule(rule: JsonRecord, completions: number, field: string): Errors {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededCount === undefined && succeededIndexes === undefined) {
    return [fieldRequired(field, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const text = textOf(succeededIndexes);
  const isLong = utf8Length(text) > INDEXES_TEXT_MAX;
  const parsed = indexesProblem(text, completions);
  const place = `${field}.succeededIndexes`;
  const parsing = `error parsing succeededIndexes: ${parsed.problem ?? ''}`;
  return [
    ...(isLong ? [fieldTooLong(place, INDEXES_TEXT_MAX)] : []),
    ...(parsed.problem === undefined ? [] : [fieldInvalid(place, text, parsing)]),
    ...notNegative(rule, ['succeededCount'], field),
    ...notMore(succeededCount, completions, 'the number of specified completions', field),
    ...(succeededIndexes === undefined
      ? []
      : notMore(succeededCount, parsed.total, 'the number of indexes in the specified succeededIndexes field', field)),
  ];
}

function notMore(count: unknown, limit: number, what: string, field: string): Errors {
  if (!isJsonNumber(count) || count <= limit) return [];
  return [fieldInvalid(`${field}.succeededCount`, count, `must be less than or equal to ${limit} (${what})`)];
}
