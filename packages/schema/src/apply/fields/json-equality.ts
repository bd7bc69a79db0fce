/** Equality and order of JSON values as structured-merge-diff defines them. */

import { isJsonNumber, isRecord } from '@listwatch/api/values';
import { compareByteOrder } from './byte-order.ts';

/** Are the values equal? Numbers by value; null and absent members differ. */
export function equalValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || left === null) {
    return isJsonNumber(left) && isJsonNumber(right) && compareNumbers(left, right) === 0;
  }
  if (typeof right !== 'object' || right === null) return false;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equalValues(item, right[index]))
    );
  }
  return isRecord(left) && isRecord(right) && equalRecords(left, right);
}

function equalRecords(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equalValues(left[key], right[key]));
}

/** The order of values: numbers, texts, booleans, lists, objects, null. */
export function compareOrder(left: unknown, right: unknown): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  if (isJsonNumber(left) && isJsonNumber(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareByteOrder(left, right);
  if (typeof left === 'boolean') return Number(left) - Number(right);
  if (Array.isArray(left) && Array.isArray(right)) return compareInOrder(left, right);
  if (isRecord(left) && isRecord(right)) return compareInOrder(sortedMembers(left), sortedMembers(right));
  return 0;
}

/** Orders two lists by their first difference; the shorter one comes first. */
function compareInOrder(left: readonly unknown[], right: readonly unknown[]): number {
  for (let index = 0; index < left.length && index < right.length; index += 1) {
    const order = compareOrder(left[index], right[index]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function sortedMembers(record: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(record)
    .toSorted(([one], [other]) => compareByteOrder(one, other))
    .flat();
}

function compareNumbers(left: bigint | number, right: bigint | number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function rankOf(value: unknown): number {
  if (isJsonNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (Array.isArray(value)) return 3;
  return value === null || value === undefined ? 5 : 4;
}
