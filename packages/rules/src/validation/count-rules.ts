/** Rules for counts, and for amounts that are a count or a percentage. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { isJsonNumber, type JsonRecord, numberOf } from '@listwatch/api/values';

type Errors = readonly FieldError[];

/** The message about a number that must not be negative. */
export const NOT_NEGATIVE = 'must be greater than or equal to 0';

/** Checks that none of the named fields of `owner` is negative. */
export function notNegative(owner: JsonRecord, names: readonly string[], field: string): Errors {
  return names
    .filter((name) => isNegative(owner[name]))
    .map((name) => fieldInvalid(`${field}.${name}`, owner[name], NOT_NEGATIVE));
}

function isNegative(value: unknown): boolean {
  return isJsonNumber(value) && value < 0;
}

const PERCENT_RULE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Checks an amount that is a count or a percentage. */
export function validateAmount(value: unknown, field: string): Errors {
  if (typeof value === 'string') return isPercent(value) ? [] : [fieldInvalid(field, value, PERCENT_RULE)];
  return numberOf(value) < 0 ? [fieldInvalid(field, value, NOT_NEGATIVE)] : [];
}

/** Checks that a percentage is 100 at most. Counts and other texts pass. */
export function notAboveAll(value: unknown, field: string): Errors {
  const above = typeof value === 'string' && isPercent(value) && amountOf(value) > 100;
  return above ? [fieldInvalid(field, value, 'must not be greater than 100%')] : [];
}

/** The count, or the number before the percent sign. */
export function amountOf(value: unknown): number {
  if (typeof value !== 'string') return numberOf(value);
  return isPercent(value) ? Number.parseInt(value, 10) : 0;
}

function isPercent(text: string): boolean {
  return /^\d+%$/.test(text);
}
