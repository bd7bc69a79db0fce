/** The rules for a list of `metav1.Condition`. */

import {
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  utf8Length,
} from '@listwatch/api';
import { type JsonRecord, numberOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from './item-errors.ts';

type Errors = readonly FieldError[];

const STATUSES = ['False', 'True', 'Unknown'];
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const REASON_TEXT =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
const REASON_MAX = 1024;
const MESSAGE_MAX = 32 * 1024;

/** Checks conditions; each type must be unique. */
export function validateConditions(value: unknown, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (condition, index) => {
    const type = textOf(condition['type']);
    const again = seen.has(type) ? [fieldDuplicate(`${field}[${index}].type`, type)] : [];
    seen.add(type);
    return [...again, ...validateCondition(condition, `${field}[${index}]`)];
  });
}

function validateCondition(condition: JsonRecord, field: string): Errors {
  const { status, observedGeneration, lastTransitionTime, message } = condition;
  const type = textOf(condition['type']);
  const generation = numberOf(observedGeneration);
  const why = 'must be greater than or equal to zero';
  return [
    ...checkQualifiedName(type).map((complaint) => fieldInvalid(`${field}.type`, type, complaint)),
    ...(STATUSES.includes(textOf(status)) ? [] : [fieldNotSupported(`${field}.status`, textOf(status), STATUSES)]),
    ...(generation < 0 ? [fieldInvalid(`${field}.observedGeneration`, generation, why)] : []),
    ...(textOf(lastTransitionTime) === '' ? [fieldRequired(`${field}.lastTransitionTime`)] : []),
    ...validateReason(textOf(condition['reason']), `${field}.reason`),
    ...(utf8Length(textOf(message)) > MESSAGE_MAX ? [fieldTooLong(`${field}.message`, MESSAGE_MAX)] : []),
  ];
}

function validateReason(reason: string, field: string): Errors {
  if (reason === '') return [fieldRequired(field)];
  const isLong = utf8Length(reason) > REASON_MAX;
  return [
    ...(REASON.test(reason) ? [] : [fieldInvalid(field, reason, REASON_TEXT)]),
    ...(isLong ? [fieldTooLong(field, REASON_MAX)] : []),
  ];
}
