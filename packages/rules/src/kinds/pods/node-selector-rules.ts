/** The rules for a node selector. */

import {
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, listOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

/** Checks a selector, which must have at least one term. */
export function validateNodeSelector(selector: JsonRecord, field: string): Errors {
  const terms = recordsOf(selector['nodeSelectorTerms']);
  const place = `${field}.nodeSelectorTerms`;
  if (terms.length === 0) return [fieldRequired(place, 'must have at least one node selector term')];
  return itemErrors(terms, (term, index) => validateNodeSelectorTerm(term, `${place}[${index}]`));
}

/** Checks one term. Preferred terms set `withValues` to false: invalid label values only cause warnings. */
export function validateNodeSelectorTerm(term: JsonRecord, field: string, withValues = true): Errors {
  return [
    ...itemErrors(recordsOf(term['matchExpressions']), (requirement, index) =>
      validateRequirement(requirement, `${field}.matchExpressions[${index}]`, withValues),
    ),
    ...itemErrors(recordsOf(term['matchFields']), (requirement, index) =>
      validateField(requirement, `${field}.matchFields[${index}]`),
    ),
  ];
}

const ONE_VALUE = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";

/** `matchFields` supports the field `metadata.name` only. */
function validateField({ key, operator, values }: JsonRecord, field: string): Errors {
  const texts = listOf(values).map(textOf);
  const isKnown = operator === 'In' || operator === 'NotIn';
  return [
    ...(isKnown && texts.length !== 1 ? [fieldRequired(`${field}.values`, ONE_VALUE)] : []),
    ...(isKnown ? [] : [fieldInvalid(`${field}.operator`, textOf(operator), 'not a valid selector operator')]),
    ...(key === 'metadata.name'
      ? itemErrors(texts, (value, index) =>
          checkDnsSubdomain(value).map((complaint) => fieldInvalid(`${field}.values[${index}]`, value, complaint)),
        )
      : [fieldInvalid(`${field}.key`, textOf(key), 'not a valid field selector key')]),
  ];
}

function validateRequirement(requirement: JsonRecord, field: string, withValues: boolean): Errors {
  const key = textOf(requirement['key']);
  const values = listOf(requirement['values']).map(textOf);
  return [
    ...validateOperator(textOf(requirement['operator']), values.length, field),
    ...checkQualifiedName(key).map((complaint) => fieldInvalid(`${field}.key`, key, complaint)),
    ...itemErrors(withValues ? values : [], (value, index) =>
      checkLabelValue(value).map((complaint) => fieldInvalid(`${field}.values[${index}]`, value, complaint)),
    ),
  ];
}

function validateOperator(operator: string, values: number, field: string): Errors {
  const place = `${field}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values > 0 ? [] : [fieldRequired(place, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist': {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      return values === 0 ? [] : [fieldForbidden(place, why)];
    }
    case 'Gt':
    case 'Lt': {
      const why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      return values === 1 ? [] : [fieldRequired(place, why)];
    }
    default:
      return [fieldInvalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}
