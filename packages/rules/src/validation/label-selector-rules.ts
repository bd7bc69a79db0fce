/** The rules for a label selector in an object: each error names the part that is wrong. */

import {
  checkLabelValue,
  checkQualifiedName,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  validateLabels,
} from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, recordsOf, textOf, textRecordOf } from '@listwatch/api/values';
import { itemErrors } from './item-errors.ts';
import { readSelector } from './object-selector.ts';

type Errors = readonly FieldError[];

/** Checks a selector. An absent one has no errors. */
export function validateLabelSelector(value: unknown, field: string): Errors {
  const selector = recordOf(value);
  return [
    ...validateLabels(textRecordOf(selector['matchLabels']), `${field}.matchLabels`),
    ...itemErrors(recordsOf(selector['matchExpressions']), (expression, index) =>
      validateExpression(expression, `${field}.matchExpressions[${index}]`),
    ),
  ];
}

function validateExpression(expression: JsonRecord, field: string): Errors {
  const { operator, key } = expression;
  const values = listOf(expression['values']).map(textOf);
  return [
    ...validateOperator(textOf(operator), values.length, field),
    ...checkQualifiedName(textOf(key)).map((complaint) => fieldInvalid(`${field}.key`, textOf(key), complaint)),
    ...itemErrors(values, (item, index) =>
      checkLabelValue(item).map((complaint) => fieldInvalid(`${field}.values[${index}]`, item, complaint)),
    ),
  ];
}

function validateOperator(operator: string, values: number, field: string): Errors {
  if (operator === 'In' || operator === 'NotIn') {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    return values === 0 ? [fieldRequired(`${field}.values`, detail)] : [];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return values > 0 ? [fieldForbidden(`${field}.values`, detail)] : [];
  }
  return [fieldInvalid(`${field}.operator`, operator, 'not a valid selector operator')];
}

/** A selector as a cell of a table: `a=b`, or `<none>` for one that selects everything. */
export function selectorCell(value: unknown): string {
  const selector = readSelector(recordOf(value));
  return selector === undefined ? '<error>' : selector.text || '<none>';
}
