/** Merges a list of a patch into a list. */

import { isRecord } from '@listwatch/api/values';
import { patchDirective } from './directives.ts';
import { inOrder } from './element-order.ts';
import { goText } from './go-text.ts';
import { elementType, itemIdentity, requireMergeKey, scalarIdentity } from './merge-key.ts';
import { type FieldMerge, goKind, type PatchLevel } from './patch-level.ts';
import { openObject, type PatchMap, patchMember } from './patch-tree.ts';
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
  const remaining = withoutItems(original, deleted, mergeKey);
  if (replaces) {
    const items = inOrder(plain, { mergeKey, patchOrder: [], serverOrder: plain });
    return { items, original: remaining };
  }
  const merged = mergeByKey(remaining, plain, merge);
  const items = inOrder(merged, { mergeKey, patchOrder: plain, serverOrder: remaining });
  return { items, original: merged.slice(0, original.length) };
}

interface SpecialItems {
  /** The identities of the items that the patch deletes. */
  readonly deleted: ReadonlySet<string>;
  /** The items without a `$patch`. */
  readonly plain: readonly unknown[];
  /** The patch replaces the list. */
  readonly replaces: boolean;
}

function specialItems(patch: readonly unknown[], mergeKey: string): SpecialItems {
  const deleted = new Set<string>();
  const plain: unknown[] = [];
  let replaces = false;
  for (const item of patch) {
    const special = patchDirective(item);
    if (special === undefined) plain.push(item);
    else if (special.directive === 'delete') {
      const identity = scalarIdentity(requireMergeKey(item, mergeKey));
      if (identity !== undefined) deleted.add(identity);
    } else if (special.directive === 'replace') replaces = true;
    else if (special.directive === 'merge') throw unmergeable('merging lists cannot yet be specified in the patch');
    else throw unmergeable(`unknown patch type: ${goText(special.directive, 's')} in map: ${goText(item)}`);
  }
  return { deleted, plain, replaces };
}

/** Deletes all items with one of the identities. */
function withoutItems(list: readonly unknown[], deleted: ReadonlySet<string>, mergeKey: string): readonly unknown[] {
  if (deleted.size === 0) return list;
  return list.filter((item) => !deleted.has(identityIn(item, mergeKey) ?? ''));
}

/** An item without a merge key has no identity. */
function identityIn(item: unknown, mergeKey: string): string | undefined {
  const value = isRecord(item) ? patchMember(item, mergeKey) : undefined;
  return value === undefined ? undefined : scalarIdentity(value);
}

function mergeByKey(
  original: readonly unknown[],
  patch: readonly unknown[],
  { field: { mergeKey, below }, mergeItem }: ListMerge,
): readonly unknown[] {
  const merged = [...original];
  const first = new Map<string, number>();
  for (const [place, item] of original.entries()) {
    const identity = identityIn(item, mergeKey);
    if (identity !== undefined && !first.has(identity)) first.set(identity, place);
  }
  for (const item of patch) {
    const identity = itemIdentity(item, mergeKey);
    const place = first.get(identity);
    const known = place === undefined ? undefined : merged[place];
    if (place === undefined || !isRecord(known) || !isRecord(item)) {
      first.set(identity, merged.length);
      merged.push(item);
      continue;
    }
    merged[place] = mergeItem(openObject(known), openObject(item), below);
  }
  return merged;
}
