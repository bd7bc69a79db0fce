/** Equality of JSON values. */

import { isJsonNumber, isRecord, type JsonRecord } from '@listwatch/api/values';

/** Are the values equal? The order of members does not count; an integer equals a bigint of its value. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && isEqualList(one, other);
  if (isRecord(one)) return isRecord(other) && isEqualRecord(one, other);
  return isJsonNumber(one) && isJsonNumber(other) && isEqualNumber(one, other);
}

/** `1n == 1`, which no other operator says. */
function isEqualNumber(one: bigint | number, other: bigint | number): boolean {
  return !(one < other) && !(one > other);
}

function isEqualList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    if (!isEqualJson(one[index], other[index])) return false;
  }
  return true;
}

function isEqualRecord(one: JsonRecord, other: JsonRecord): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(other, name) || !isEqualJson(one[name], other[name])) return false;
  }
  return true;
}
