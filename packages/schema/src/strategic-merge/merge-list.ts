/** Merges a list of a patch into a list. */

import { patchDirective } from './directives.ts';
import { inOrder } from './element-order.ts';
import { goText } from './go-text.ts';
import { elementType, itemIdentity, requireMergeKey, scalarIdentity } from './merge-key.ts';
import { type FieldMerge, goKind, type PatchLevel } from './patch-level.ts';
import { isObject, memberOf, openObject, type PatchMap } from './patch-tree.ts';
import { unmergeable } from './strategic-merge-error.ts';

/** How the lists are merged. */
export interface ListMerge {
  readonly field: FieldMerge;
  /** The patch names the scalars that are removed. */
  readonly deletes: boolean;
  readonly mergeItem: (original: PatchMap, patch: PatchMap, level: PatchLevel) => PatchMap;
}

/** A merged list. */
export interface MergedList {
  readonly items: readonly unknown[];
  /**
   * The original as Go leaves it behind. `$setElementOrder` sorts by it: deleted items are gone, and added items stand in their
   * places.
   */
  readonly original: readonly unknown[];
}

/** Merges the patch into the original. Time and memory are linear in the items, but for their sort. */
export function mergeList(original: readonly unknown[], patch: readonly unknown[], merge: ListMerge): MergedList {
  const { field, deletes } = merge;
  if (field.strategy !== 'merge' && !deletes) return { items: patch, original };
  if (original.length === 0 && patch.length === 0) return { items: original, original };
  const type = elementType(original, patch);
  if (type === 'map[string]interface {}') return mergeObjects(original, patch, merge);
  if (deletes) {
    const removed = new Set(patch);
    return { items: original.filter((item) => !removed.has(item)), original };
  }
  const both = [...new Set([...original, ...patch])];
  return { items: inOrder(both, { mergeKey: '', patchOrder: patch, serverOrder: original }), original };
}

function mergeObjects(original: readonly unknown[], patch: readonly unknown[], merge: ListMerge): MergedList {
  const { mergeKey, below } = merge.field;
  if (mergeKey === '') throw unmergeable(`cannot merge lists without merge key for ${goKind(below)}`);
  const { deleted, plain, replaces } = specialItems(patch, mergeKey);
  const { remaining, tail } = withoutItems(original, deleted, mergeKey);
  if (replaces) {
    const items = inOrder(plain, { mergeKey, patchOrder: [], serverOrder: plain });
    return { items, original: [...remaining, ...tail] };
  }
  const { merged, added } = mergeByKey(remaining, plain, merge);
  const items = inOrder(merged, { mergeKey, patchOrder: plain, serverOrder: remaining });
  const overwritten = [...added.slice(0, tail.length), ...tail.slice(added.length)];
  return { items, original: [...remaining, ...overwritten] };
}

interface SpecialItems {
  /** The identities of the items that the patch deletes, in its order. */
  readonly deleted: readonly string[];
  /** The items without a `$patch`. */
  readonly plain: readonly unknown[];
  /** The patch replaces the list. */
  readonly replaces: boolean;
}

function specialItems(patch: readonly unknown[], mergeKey: string): SpecialItems {
  const [deleted, plain]: [string[], unknown[]] = [[], []];
  let replaces = false;
  for (const item of patch) {
    const special = patchDirective(item);
    if (special === undefined) plain.push(item);
    else if (special.directive === 'delete') {
      const identity = scalarIdentity(requireMergeKey(item, mergeKey));
      if (identity !== undefined) deleted.push(identity);
    } else if (special.directive === 'replace') replaces = true;
    else if (special.directive === 'merge') throw unmergeable('merging lists cannot yet be specified in the patch');
    else throw unmergeable(`unknown patch type: ${goText(special.directive, 's')} in map: ${goText(item)}`);
  }
  return { deleted, plain, replaces };
}

/**
 * The list without the deleted items, and the tail that Go leaves behind them: each deletion moves the later items to the front
 * and lets the last one stand.
 */
function withoutItems(
  list: readonly unknown[],
  deleted: readonly string[],
  mergeKey: string,
): { readonly remaining: readonly unknown[]; readonly tail: readonly unknown[] } {
  if (deleted.length === 0) return { remaining: list, tail: [] };
  const places = placesByIdentity(list, mergeKey);
  const gone = new Set<number>();
  const left: unknown[] = [];
  let last = list.length - 1;
  for (const identity of deleted) {
    for (const place of places.get(identity) ?? []) {
      while (gone.has(last)) last -= 1;
      left.push(list[last]);
      gone.add(place);
    }
    places.delete(identity);
  }
  return { remaining: list.filter((_item, place) => !gone.has(place)), tail: left.toReversed() };
}

/** Items without a merge key have no identity. */
function placesByIdentity(list: readonly unknown[], mergeKey: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, item] of list.entries()) {
    const identity = identityIn(item, mergeKey);
    if (identity === undefined) continue;
    const known = places.get(identity);
    if (known === undefined) places.set(identity, [place]);
    else known.push(place);
  }
  return places;
}

function identityIn(item: unknown, mergeKey: string): string | undefined {
  const value = isObject(item) ? memberOf(item, mergeKey) : undefined;
  return value === undefined ? undefined : scalarIdentity(value);
}

function mergeByKey(
  original: readonly unknown[],
  patch: readonly unknown[],
  { field: { mergeKey, below }, mergeItem }: ListMerge,
): { readonly merged: readonly unknown[]; readonly added: readonly unknown[] } {
  const merged = [...original];
  const first = new Map<string, number>();
  for (const [identity, [place = 0]] of placesByIdentity(original, mergeKey)) first.set(identity, place);
  for (const item of patch) {
    const identity = itemIdentity(item, mergeKey);
    const place = first.get(identity);
    const known = place === undefined ? undefined : merged[place];
    if (place === undefined || !isObject(known) || !isObject(item)) {
      first.set(identity, merged.length);
      merged.push(item);
      continue;
    }
    const result = mergeItem(openObject(known), openObject(item), below);
    merged[place] = result;
    // A merge key that is null deletes itself: the item is not found again.
    if (!result.has(mergeKey)) first.delete(identity);
  }
  return { merged, added: merged.slice(original.length) };
}
