/** Merges a patch into an object, or into another patch. */

import { isRecord } from '@listwatch/api/values';
import {
  BAD_ORDER_LIST,
  BAD_RETAIN_KEYS,
  DELETE_PREFIX,
  directedField,
  discardNulls,
  ORDER_PREFIX,
  PATCH,
  patchDirective,
  RETAIN_KEYS,
  withoutPatchDirectives,
} from './directives.ts';
import { inOrder } from './element-order.ts';
import { goText, goType } from './go-text.ts';
import { badType, elementType, requireMergeKey, scalarIdentity } from './merge-key.ts';
import { mergeList } from './merge-list.ts';
import { type FieldMerge, listField, objectField, type PatchLevel } from './patch-level.ts';
import { isSameTree, openObject, type PatchMap } from './patch-tree.ts';
import { malformed, unmergeable } from './strategic-merge-error.ts';

/** What the patch is merged into. In a patch, directives and nulls stay; in an object they are carried out. */
export type MergeTarget = 'object' | 'patch';

/** Merges `patch` into `original`. Changes both; both must be open. */
export function mergeObject(original: PatchMap, patch: PatchMap, level: PatchLevel, target: MergeTarget): PatchMap {
  if (patch.has(PATCH)) return directed(patch);
  retainKeys(original, patch, target);
  for (const name of patch.keys()) {
    if (name.startsWith(ORDER_PREFIX)) mergeOrdered(original, patch, name, level, target);
  }
  for (const [name, value] of patch) mergeMember(original, name, value, level, target);
  return original;
}

/** What `$patch` makes of an object. */
function directed(patch: PatchMap): PatchMap {
  const directive = patch.get(PATCH);
  if (directive === 'replace') {
    patch.delete(PATCH);
    return patch;
  }
  if (directive === 'delete') return new Map();
  throw unmergeable(`unknown patch type: ${goText(directive, 's')} in map: ${goText(patch)}`);
}

function retainKeys(original: PatchMap, patch: PatchMap, target: MergeTarget): void {
  const names = patch.get(RETAIN_KEYS);
  if (names === undefined) return;
  patch.delete(RETAIN_KEYS);
  if (target === 'patch') {
    const own = original.get(RETAIN_KEYS);
    if (own !== undefined && !isSameTree(own, names)) {
      const both = `${goText(own)} and ${goText(names)}`;
      throw unmergeable(`${both} are not deep equal: this may happen when calculating the 3-way diff patch`);
    }
    original.set(RETAIN_KEYS, names);
    return;
  }
  if (!Array.isArray(names)) throw malformed(BAD_RETAIN_KEYS);
  const kept = new Set<unknown>(names);
  for (const [name, value] of patch) {
    if (value === null || name.startsWith(DELETE_PREFIX) || name.startsWith(ORDER_PREFIX)) continue;
    if (!kept.has(name)) throw malformed(BAD_RETAIN_KEYS);
  }
  for (const name of original.keys()) if (!kept.has(name)) original.delete(name);
}

/** Merges a list together with its `$setElementOrder`, and takes both out of the patch. */
function mergeOrdered(
  original: PatchMap,
  patch: PatchMap,
  directive: string,
  level: PatchLevel,
  target: MergeTarget,
): void {
  const order = patch.get(directive);
  if (target === 'patch') {
    const own = original.get(directive);
    if (own !== undefined && !isSameTree(own, order)) throw malformed(BAD_ORDER_LIST);
    original.set(directive, order);
  }
  patch.delete(directive);
  const wanted = listOrThrow(order);
  const name = directedField(directive, ORDER_PREFIX);
  const list = original.has(name) ? listOrThrow(original.get(name)) : undefined;
  const change = patch.has(name) ? listOrThrow(patch.get(name)) : undefined;
  const field = listField(level, name);
  requireSameOrder(change ?? [], wanted, field.mergeKey);
  if (list === undefined && change === undefined) return;
  const merged = mergedLists(list, change, field, target);
  elementType(list ?? [], change ?? []);
  const { mergeKey } = field;
  original.set(name, inOrder(merged.items, { mergeKey, patchOrder: wanted, serverOrder: merged.original }));
  patch.delete(name);
}

function mergedLists(
  list: readonly unknown[] | undefined,
  change: readonly unknown[] | undefined,
  field: FieldMerge,
  target: MergeTarget,
): { readonly items: readonly unknown[]; readonly original: readonly unknown[] } {
  if (list === undefined) {
    const items = withoutPatchDirectives(change);
    return { items: Array.isArray(items) ? items : [], original: [] };
  }
  if (change === undefined) return { items: list, original: list };
  return mergeList(list, change, { field, deletes: false, mergeItem: mergeInto(target) });
}

/** Throws when the items of a patch, without deletions, are not in `wanted`, or in another order there. */
function requireSameOrder(change: readonly unknown[], wanted: readonly unknown[], mergeKey: string): void {
  if (wanted.length === 0 || change.length === 0) return;
  const keyOf = (item: unknown): unknown => (mergeKey === '' ? item : requireMergeKey(item, mergeKey));
  let place = 0;
  for (const item of change) {
    if (mergeKey !== '' && !isRecord(item)) throw badType('map[string]interface {}', item);
    const special = patchDirective(item);
    if (special?.directive === 'delete' && mergeKey !== '') continue;
    if (special !== undefined && place < wanted.length) continue;
    while (place < wanted.length && !isSameScalar(keyOf(item), keyOf(wanted[place]))) place += 1;
    if (place === wanted.length) {
      const lists = `${goText(change)}\n doesn't match ${ORDER_PREFIX} list:\n${goText(wanted)}\n`;
      throw unmergeable(`The order in patch list:\n${lists}`);
    }
    place += 1;
  }
}

function isSameScalar(left: unknown, right: unknown): boolean {
  const identity = scalarIdentity(left);
  return identity !== undefined && identity === scalarIdentity(right);
}

function mergeMember(original: PatchMap, given: string, value: unknown, level: PatchLevel, target: MergeTarget): void {
  const deletes = given.startsWith(DELETE_PREFIX);
  if (deletes && target === 'patch') {
    original.set(given, value);
    return;
  }
  const name = (deletes ? directedField(given, DELETE_PREFIX) : '') || given;
  if (value === null) {
    original.delete(name);
    if (target === 'object') return;
  }
  const known = original.get(name);
  if (known === undefined || goType(known) !== goType(value)) {
    if (!deletes) take(original, name, value, target);
  } else if (isRecord(known) && isRecord(value)) {
    const { below, strategy } = objectField(level, name);
    const change = openObject(value);
    original.set(name, strategy === 'replace' ? change : mergeObject(openObject(known), change, below, target));
  } else if (Array.isArray(known) && Array.isArray(value)) {
    const field = listField(level, name);
    // A patch of patches keeps the list of deletions, so only an object gets here with one.
    original.set(name, mergeList(known, value, { field, deletes, mergeItem: mergeInto(target) }).items);
  } else if (!deletes) {
    original.set(name, value);
  }
}

/** A value that replaces whatever was there. */
function take(original: PatchMap, name: string, value: unknown, target: MergeTarget): void {
  if (target === 'object') discardNulls(value);
  const kept = withoutPatchDirectives(value);
  if (kept === undefined) original.delete(name);
  else original.set(name, kept);
}

function mergeInto(target: MergeTarget) {
  return (original: PatchMap, patch: PatchMap, level: PatchLevel): PatchMap =>
    mergeObject(original, patch, level, target);
}

function listOrThrow(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw badType('[]interface {}', value);
  return value;
}
