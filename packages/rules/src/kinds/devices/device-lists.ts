/** Lists with a maximum length and, if required, unique items. */

import { type FieldError, fieldDuplicate, fieldTooMany } from '@listwatch/api';
import { type JsonRecord, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

/** Checks the items of a list that is not too long. */
export function limited<T>(
  items: readonly T[],
  max: number,
  field: string,
  check: (item: T, field: string) => Errors,
): Errors {
  if (items.length > max) return [fieldTooMany(field, items.length, max)];
  return itemErrors(items, (item, index) => check(item, `${field}[${index}]`));
}

/** A list whose items have different values in the field `key`. */
interface KeyedList {
  readonly key: string;
  readonly max: number;
  readonly field: string;
}

/** Checks items with unique names. */
export function validateNamedItems(
  items: readonly JsonRecord[],
  max: number,
  field: string,
  check: (item: JsonRecord, field: string) => Errors,
): Errors {
  return validateKeyedItems(items, { key: 'name', max, field }, check);
}

/** Checks items that one of their fields identifies uniquely. */
export function validateKeyedItems(
  items: readonly JsonRecord[],
  { key, max, field }: KeyedList,
  check: (item: JsonRecord, field: string) => Errors,
): Errors {
  if (items.length > max) return [fieldTooMany(field, items.length, max)];
  const seen = new Set<string>();
  const repeated = itemErrors(items, (item, index) => {
    const name = textOf(item[key]);
    if (seen.has(name)) return [fieldDuplicate(`${field}[${index}]`, name)];
    seen.add(name);
    return [];
  });
  return [...limited(items, max, field, check), ...repeated];
}
