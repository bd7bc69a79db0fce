/** The difference of two objects as a strategic merge patch. */

import { DELETE_PREFIX, ORDER_PREFIX, PATCH, RETAIN_KEYS } from './directives.ts';
import { compareTexts, goType } from './go-text.ts';
import { type DifferenceOptions, listDifference } from './list-difference.ts';
import { type FieldMerge, listField, objectField, type PatchLevel } from './patch-level.ts';
import { isSameTree, type PatchMap } from './patch-tree.ts';
import { StrategicMergeError, unmergeable } from './strategic-merge-error.ts';

/** The patch that makes `modified` of `original`; both must be open. It shares values with `modified`. */
export function objectDifference(
  original: PatchMap,
  modified: PatchMap,
  level: PatchLevel,
  options: DifferenceOptions,
  retainKeys = false,
): PatchMap {
  const patch: PatchMap = new Map();
  for (const [name, value] of modified) {
    const old = original.get(name);
    if (old === undefined) {
      if (options.changes) patch.set(name, value);
    } else if (name === PATCH) {
      if (typeof old !== 'string' || typeof value !== 'string')
        throw unmergeable(`invalid value for special key: ${PATCH}`);
      if (old !== value) patch.set(PATCH, value);
    } else if (goType(old) !== goType(value)) {
      if (options.changes) patch.set(name, value);
    } else if (old instanceof Map && value instanceof Map) {
      nestedDifference(patch, name, [old, value], level, options);
    } else if (Array.isArray(old) && Array.isArray(value)) {
      nestedListDifference(patch, name, [old, value], level, options);
    } else if (options.changes && old !== value) {
      patch.set(name, value);
    }
  }
  if (options.deletions) {
    for (const name of original.keys()) if (!modified.has(name)) patch.set(name, null);
  }
  if (retainKeys) addRetainKeys(patch, original, modified);
  return patch;
}

function nestedDifference(
  patch: PatchMap,
  name: string,
  [old, value]: readonly [PatchMap, PatchMap],
  level: PatchLevel,
  options: DifferenceOptions,
): void {
  const field = fieldUnlessSame(() => objectField(level, name), old, value);
  if (field === undefined) return;
  if (field.strategy === 'replace') {
    // Kubernetes does so for equal values, too.
    if (options.changes) patch.set(name, value);
    return;
  }
  const difference = objectDifference(old, value, field.below, options, field.retainKeys);
  if (difference.size > 0) patch.set(name, difference);
}

function nestedListDifference(
  patch: PatchMap,
  name: string,
  [old, value]: readonly [readonly unknown[], readonly unknown[]],
  level: PatchLevel,
  options: DifferenceOptions,
): void {
  const field = fieldUnlessSame(() => listField(level, name), old, value);
  if (field === undefined) return;
  if (field.strategy !== 'merge') {
    if (options.changes && !isSameTree(old, value)) patch.set(name, value);
    return;
  }
  const { items, deleted, order } = listDifference(old, value, field, options, (before, after, below) =>
    objectDifference(before, after, below, options, field.retainKeys),
  );
  if (items.length > 0) patch.set(name, items);
  if (deleted.length > 0) patch.set(`${DELETE_PREFIX}/${name}`, deleted);
  if (order.length > 0) patch.set(`${ORDER_PREFIX}/${name}`, order);
}

/** The field; undefined when the schema does not know it, but the values are equal: then nothing needs to be known. */
function fieldUnlessSame(find: () => FieldMerge, old: unknown, value: unknown): FieldMerge | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof StrategicMergeError && isSameTree(old, value)) return undefined;
    throw error;
  }
}

function addRetainKeys(patch: PatchMap, original: PatchMap, modified: PatchMap): void {
  const kept = Array.from(modified).flatMap(([name, value]) => (value === null ? [] : [name]));
  const isNeeded =
    patch.size > 0 || Array.from(original).some(([name, value]) => value !== null && !modified.has(name));
  if (kept.length > 0 && isNeeded) {
    patch.set(RETAIN_KEYS, kept.toSorted(compareTexts));
  }
}
