/** The capacities of a device, and the policies for requests of a share. */

import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from '@listwatch/api';
import {
  compareQuantities,
  isRecord,
  type JsonRecord,
  listOf,
  quantityOf,
  recordOf,
  textOf,
} from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
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
  // Kubernetes compares the rounded-up values.
  const units = options.map(unitsOf);
  const isUsual = options.length <= OPTIONS_MAX && options.some((option) => compareQuantities(option, usual) === 0);
  return [
    ...itemErrors(options.slice(1), (option, index) =>
      compareQuantities(option, options[index]) < 0
        ? [fieldInvalid(`${field}[${index + 1}]`, textOf(option), 'values must be sorted in ascending order')]
        : [],
    ),
    ...(options.length > OPTIONS_MAX
      ? [fieldTooMany(field, options.length, OPTIONS_MAX)]
      : itemErrors(options, (option, index) => [
          ...(compareQuantities(option, whole) > 0
            ? [
                fieldInvalid(
                  `${field}[${index}]`,
                  textOf(option),
                  `option is larger than capacity value: ${textOf(whole)}`,
                ),
              ]
            : []),
          ...(units.indexOf(units[index] ?? 0n) < index
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
  const first = quantityOf(min).add(quantityOf(step));
  const why = `value is not a multiple of a given step (${textOf(step)}) from (${textOf(min)})`;
  const units = unitsOf(step);
  // A step of 0 is refused: kube-apiserver divides by it and drops the connection.
  const isOff = (value: unknown): boolean => units === 0n || (unitsOf(value) - unitsOf(min)) % units !== 0n;
  return [
    ...(first.compare(quantityOf(whole)) > 0
      ? [fieldInvalid(field, textOf(step), `one step ${String(first)} is larger than capacity value: ${textOf(whole)}`)]
      : []),
    ...[usual, ...(textOf(max) === '' ? [] : [max])]
      .filter(isOff)
      .map((value) => fieldInvalid(field, textOf(value), why)),
  ];
}

function isAbove(left: unknown, right: unknown): boolean {
  return compareQuantities(left, right) > 0;
}

function unitsOf(value: unknown): bigint {
  return quantityOf(value).value(0);
}
