/** Tells the items of lists apart: objects by their merge key, scalars by their value. */

import { isRecord } from '@listwatch/api/values';
import { type GoType, goText, goType, goTypeName } from './go-text.ts';
import { patchMember } from './patch-tree.ts';
import { malformed, type StrategicMergeError, unmergeable } from './strategic-merge-error.ts';

/** A text that only equal scalars share: `1` and `"1"` differ, as in Go. Undefined for objects and lists, which equal nothing. */
export function scalarIdentity(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? undefined : `${goType(value)} ${String(value)}`;
}

/** The merge key of an item. Throws when the item has none. */
export function requireMergeKey(item: unknown, mergeKey: string): unknown {
  if (!isRecord(item)) throw badType('map[string]interface {}', item);
  const value = patchMember(item, mergeKey);
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return value;
}

/** What tells an item apart. Without a merge key: the item itself. */
export function itemIdentity(item: unknown, mergeKey: string): string {
  const value = mergeKey === '' ? item : requireMergeKey(item, mergeKey);
  if (mergeKey === '' && isRecord(item)) throw noMergeKey(item, mergeKey);
  const identity = scalarIdentity(value);
  // kube-apiserver panics here and drops the connection.
  if (identity === undefined) throw malformed(`the merge key ${mergeKey} of an item is not a scalar: ${goText(item)}`);
  return identity;
}

/** Throws when an item of a list has no merge key. */
export function requireMergeKeys(items: readonly unknown[], mergeKey: string): void {
  for (const item of items) requireMergeKey(item, mergeKey);
}

/** The one type of all items. Throws when they differ, when there are none, and for lists of lists. */
export function elementType(...lists: readonly (readonly unknown[])[]): GoType {
  let type: GoType | undefined;
  for (const list of lists) {
    for (const item of list) {
      const own = goType(item);
      if (type !== undefined && type !== own) throw differentTypes(lists);
      type = own;
    }
  }
  if (type === undefined) throw unmergeable('no elements in any of the given slices');
  if (type === '[]interface {}') throw unmergeable('lists of lists are not supported');
  // kube-apiserver panics here and drops the connection.
  if (type === 'nil') throw differentTypes(lists);
  return type;
}

/** An item without its merge key. */
export function noMergeKey(item: object, mergeKey: string): StrategicMergeError {
  return unmergeable(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

/** A value of another type than the patch needs. */
export function badType(expected: GoType, value: unknown): StrategicMergeError {
  return unmergeable(`expected a ${expected}, but received a ${goTypeName(value)}`);
}

function differentTypes(lists: readonly (readonly unknown[])[]): StrategicMergeError {
  return unmergeable(`list element types are not identical: ${goText(lists)}`);
}
