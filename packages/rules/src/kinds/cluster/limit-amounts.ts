/** Compares the amounts of a limit: a minimum must not exceed the maximum, and defaults must be between them. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { compareQuantities, type JsonRecord, Quantity, recordOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { allowsOvercommit } from '../../validation/resource-names.ts';

const PARTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** The rules for the amounts of one item of a LimitRange, resource by resource. */
export function validateLimitAmounts(limit: JsonRecord, field: string): readonly FieldError[] {
  const names = new Set(PARTS.flatMap((part) => Object.keys(recordOf(limit[part]))));
  return itemErrors([...names], (name) => validateOne(limit, name, field));
}

/** Checks one resource. `order` adds an error at the field `at`, with the value `shown`, if `low` is above `high`. */
function validateOne(limit: JsonRecord, name: string, field: string): readonly FieldError[] {
  const [max, min, standard, request, ratio] = PARTS.map((part) => recordOf(limit[part])[name]);
  const errors: FieldError[] = [];
  const order = (low: unknown, high: unknown, at: string, shown: unknown, lowName: string, highName: string): void => {
    if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return;
    const detail = `${lowName} value ${textOf(low)} is greater than ${highName} value ${textOf(high)}`;
    errors.push(fieldInvalid(`${field}.${at}[${name}]`, shown, detail));
  };
  order(min, max, 'min', min, 'min', 'max');
  order(min, request, 'defaultRequest', request, 'min', 'default request');
  order(request, max, 'defaultRequest', request, 'default request', 'max');
  order(request, standard, 'defaultRequest', request, 'default request', 'default limit');
  order(min, standard, 'default', min, 'min', 'default');
  order(standard, max, 'default', max, 'default', 'max');
  return [...errors, ...validateRatio(name, ratio, min, max, field), ...validateEqual(name, standard, request, field)];
}

function validateRatio(name: string, ratio: unknown, min: unknown, max: unknown, field: string): readonly FieldError[] {
  if (ratio === undefined) return [];
  const place = `${field}.maxLimitRequestRatio[${name}]`;
  const largest = number(max) / number(min);
  const above = `ratio ${textOf(ratio)} is greater than max/min = ${largest.toFixed(6)}`;
  return [
    ...(compareQuantities(ratio, 1) < 0 ? [fieldInvalid(place, ratio, `ratio ${textOf(ratio)} is less than 1`)] : []),
    ...(min !== undefined && max !== undefined && number(ratio) > largest ? [fieldInvalid(place, ratio, above)] : []),
  ];
}

/** As a double: Kubernetes computes the ratio in doubles, too. */
function number(amount: unknown): number {
  return Quantity.from(amount)?.toNumber() ?? Number.NaN;
}

function validateEqual(name: string, standard: unknown, request: unknown, field: string): readonly FieldError[] {
  if (allowsOvercommit(name) || standard === undefined || request === undefined) return [];
  if (compareQuantities(standard, request) === 0) return [];
  const why = `default value ${textOf(standard)} must equal to defaultRequest value ${textOf(request)} in ${name}`;
  return [fieldInvalid(`${field}.defaultRequest[${name}]`, request, why)];
}
