/** The capacities of a device, and which shares of one may be asked for. */

import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from '@listwatch/api';
import { exactQuantity, quantitySum, quantityText } from '@listwatch/kinds/usage';
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '../../json/json-value.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { quantityValue } from '../../validation/quantity.ts';
import { shownKey, validatePropertyName } from './device-property-names.ts';

type Errors = readonly FieldError[];

const OPTIONS_MAX = 10;

/** Checks the capacities of a device at `field`; only shares of a device that several claims can have need a policy. */
export function validateCapacity(capacity: JsonRecord, isShared: boolean, field: string): Errors {
  return itemErrors(Object.entries(capacity), ([name, value]) => {
    const { value: whole, requestPolicy } = recordOf(value);
    const place = `${field}[${shownKey(name)}].requestPolicy`;
    if (!isRecord(requestPolicy)) return validatePropertyName(name, field);
    return [
      ...validatePropertyName(name, field),
      ...(isShared
        ? validatePolicy(requestPolicy, whole, place)
        : [fieldForbidden(place, 'allowMultipleAllocations must be true')]),
    ];
  });
}

function validatePolicy(policy: JsonRecord, whole: unknown, field: string): Errors {
  const { validRange, default: usual } = policy;
  const options = listOf(policy['validValues']);
  if (options.length > 0 && isRecord(validRange)) {
    const why = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [fieldForbidden(field, why)];
  }
  const place = `${field}.default`;
  if (options.length > 0) {
    if (textOf(usual) === '') return [fieldRequired(place, 'required when validValues is defined')];
    return validateOptions(options, usual, whole, `${field}.validValues`);
  }
  if (!isRecord(validRange)) return [];
  if (textOf(usual) === '') return [fieldRequired(place, 'required when validRange is defined')];
  return validateRange(validRange, usual, whole, `${field}.validRange`);
}

function validateOptions(options: readonly unknown[], usual: unknown, whole: unknown, field: string): Errors {
  const values = options.map(quantityValue);
  // Kubernetes compares them rounded up.
  const units = values.map(Math.ceil);
  const isUsual = options.length <= OPTIONS_MAX && values.includes(quantityValue(usual));
  return [
    ...itemErrors(options.slice(1), (option, index) =>
      quantityValue(option) < (values[index] ?? 0)
        ? [fieldInvalid(`${field}[${index + 1}]`, textOf(option), 'values must be sorted in ascending order')]
        : [],
    ),
    ...(options.length > OPTIONS_MAX
      ? [fieldTooMany(field, options.length, OPTIONS_MAX)]
      : itemErrors(options, (option, index) => [
          ...(quantityValue(option) > quantityValue(whole)
            ? [
                fieldInvalid(
                  `${field}[${index}]`,
                  textOf(option),
                  `option is larger than capacity value: ${textOf(whole)}`,
                ),
              ]
            : []),
          ...(units.indexOf(units[index] ?? 0) < index
            ? [fieldDuplicate(`${field}[${index}]`, String(units[index]))]
            : []),
        ])),
    ...(isUsual
      ? []
      : [fieldInvalid(field, textOf(usual), 'default value is not valid according to the requestPolicy')]),
  ];
}

function validateRange({ min, max, step }: JsonRecord, usual: unknown, whole: unknown, field: string): Errors {
  if (textOf(min) === '') return [fieldRequired(`${field}.min`, 'required when validRange is defined')];
  const wrong = (isWrong: boolean, name: string, value: unknown, why: string): Errors =>
    isWrong ? [fieldInvalid(`${field}.${name}`, textOf(value), why)] : [];
  const capacity = textOf(whole);
  return [
    ...wrong(isAbove(min, whole), 'min', min, `min is larger than capacity value: ${capacity}`),
    ...wrong(isAbove(min, usual), 'min', usual, `default is less than min: ${textOf(min)}`),
    ...(textOf(max) === ''
      ? []
      : [
          ...wrong(isAbove(min, max), 'max', min, `min is larger than max: ${textOf(max)}`),
          ...wrong(isAbove(max, whole), 'max', max, `max is larger than capacity value: ${capacity}`),
          ...wrong(isAbove(usual, max), 'max', usual, `default is more than max: ${textOf(max)}`),
        ]),
    ...(textOf(step) === '' ? [] : validateStep({ min, max, step }, usual, whole, `${field}.step`)),
  ];
}

function validateStep({ min, max, step }: JsonRecord, usual: unknown, whole: unknown, field: string): Errors {
  const first = quantitySum(exactQuantity(min), exactQuantity(step));
  const why = `value is not a multiple of a given step (${textOf(step)}) from (${textOf(min)})`;
  // A step of 0 leaves NaN, and is refused: kube-apiserver divides by it and drops the connection.
  const isOff = (value: unknown): boolean => (unitsOf(value) - unitsOf(min)) % unitsOf(step) !== 0;
  return [
    ...(first.nanos > exactQuantity(whole).nanos
      ? [
          fieldInvalid(
            field,
            textOf(step),
            `one step ${quantityText(first)} is larger than capacity value: ${textOf(whole)}`,
          ),
        ]
      : []),
    ...[usual, ...(textOf(max) === '' ? [] : [max])]
      .filter(isOff)
      .map((value) => fieldInvalid(field, textOf(value), why)),
  ];
}

function isAbove(left: unknown, right: unknown): boolean {
  return quantityValue(left) > quantityValue(right);
}

/** Kubernetes counts in whole units. */
function unitsOf(quantity: unknown): number {
  return Math.ceil(quantityValue(quantity));
}
