/** The difference of two lists that a strategic merge patch merges. */

import { PATCH } from './directives.ts';
import { sortedLike } from './element-order.ts';
import { compareTexts, goKeyText } from './go-text.ts';
import { badType, elementType, itemIdentity, requireMergeKey, requireMergeKeys } from './merge-key.ts';
import type { FieldMerge, PatchLevel } from './patch-level.ts';
import { isSameTree, type PatchMap, patchMember } from './patch-tree.ts';

/** What a difference has. */
export interface DifferenceOptions {
  readonly changes: boolean;
  readonly deletions: boolean;
  /** With `$setElementOrder`. */
  readonly order: boolean;
}

/** The parts of a patch of a list; each may be empty. */
export interface ListDifference {
  readonly items: readonly unknown[];
  /** For `$deleteFromPrimitiveList`. */
  readonly deleted: readonly unknown[];
  /** For `$setElementOrder`. */
  readonly order: readonly unknown[];
}

/** The difference of two items. */
export type ItemDifference = (original: PatchMap, modified: PatchMap, level: PatchLevel) => PatchMap;

const SAME: ListDifference = { items: [], deleted: [], order: [] };

/** The patch that makes `modified` of `original`. */
export function listDifference(
  original: readonly unknown[],
  modified: readonly unknown[],
  field: FieldMerge,
  options: DifferenceOptions,
  differenceOf: ItemDifference,
): ListDifference {
  if (original.length === 0) {
    return modified.length === 0 || !options.changes ? SAME : { ...SAME, items: modified };
  }
  const type = elementType(original, modified);
  return type === 'map[string]interface {}'
    ? objectsDifference(original, modified, field, options, differenceOf)
    : scalarsDifference(original, modified, options);
}

function scalarsDifference(
  original: readonly unknown[],
  modified: readonly unknown[],
  { changes, deletions, order }: DifferenceOptions,
): ListDifference {
  const texts = new Map([...original, ...modified].map((item) => [item, goKeyText(item)] as const));
  const byText = (left: unknown, right: unknown): number => compareTexts(texts.get(left) ?? '', texts.get(right) ?? '');
  // Kubernetes sorts the original in place and compares that with `modified`: a change to the sorted order is lost.
  const sorted = original.toSorted(byText);
  const [added, deleted]: [unknown[], unknown[]] = [[], []];
  walkSorted(sorted, modified.toSorted(byText), (item) => texts.get(item) ?? '', {
    onlyOriginal: (item) => deleted.push(item),
    onlyModified: (item) => added.push(item),
    both: () => {},
  });
  const isOrdered = order && ((deletions && deleted.length > 0) || (changes && !isSameTree(sorted, modified)));
  return {
    items: changes ? sortedLike(added, modified, '') : [],
    deleted: deletions ? [...new Set(deleted)] : [],
    order: isOrdered ? modified : [],
  };
}

function objectsDifference(
  original: readonly unknown[],
  modified: readonly unknown[],
  { mergeKey, below }: FieldMerge,
  options: DifferenceOptions,
  differenceOf: ItemDifference,
): ListDifference {
  const { changes, deletions } = options;
  const [changed, deleted]: [unknown[], unknown[]] = [[], []];
  walkSorted(sortedByKey(original, mergeKey), sortedByKey(modified, mergeKey), (item) => keyText(item, mergeKey), {
    both: (old, item) => {
      const difference = differenceOf(openOrThrow(old), openOrThrow(item), below);
      if (difference.size > 0) changed.push(difference.set(mergeKey, requireMergeKey(item, mergeKey)));
    },
    onlyModified: (item) => {
      if (changes) changed.push(item);
    },
    onlyOriginal: (item) => {
      const key = requireMergeKey(item, mergeKey);
      const directive: PatchMap = new Map<string, unknown>([
        [mergeKey, key],
        [PATCH, 'delete'],
      ]);
      if (deletions) deleted.push(directive);
    },
  });
  requireMergeKeys(modified, mergeKey);
  const items = [...sortedLike(changed, modified, mergeKey), ...deleted];
  const isOrdered =
    options.order &&
    ((changes && (items.length > 0 || !isSameOrder(original, modified, mergeKey))) || (deletions && items.length > 0));
  return { items, deleted: [], order: isOrdered ? modified.map((item) => onlyKey(item, mergeKey)) : [] };
}

interface Sides {
  readonly both: (original: unknown, modified: unknown) => void;
  readonly onlyModified: (item: unknown) => void;
  readonly onlyOriginal: (item: unknown) => void;
}

/** Walks over two sorted lists at once. */
function walkSorted(
  original: readonly unknown[],
  modified: readonly unknown[],
  textOf: (item: unknown) => string,
  sides: Sides,
): void {
  let [old, now] = [0, 0];
  while (old < original.length || now < modified.length) {
    const order =
      old >= original.length
        ? 1
        : now >= modified.length
          ? -1
          : compareTexts(textOf(original[old]), textOf(modified[now]));
    if (order === 0) sides.both(original[old], modified[now]);
    else if (order > 0) sides.onlyModified(modified[now]);
    else sides.onlyOriginal(original[old]);
    if (order <= 0) old += 1;
    if (order >= 0) now += 1;
  }
}

/** Sorted by the text of the merge key. Items of the same key are reversed, as by Kubernetes' comparison. */
function sortedByKey(items: readonly unknown[], mergeKey: string): readonly unknown[] {
  const texts = items.map((item, place) => ({
    item,
    place,
    text: goKeyText(patchMember(openOrThrow(item), mergeKey)),
  }));
  return texts
    .toSorted((left, right) => compareTexts(left.text, right.text) || right.place - left.place)
    .map(({ item }) => item);
}

function keyText(item: unknown, mergeKey: string): string {
  return goKeyText(requireMergeKey(item, mergeKey));
}

function onlyKey(item: unknown, mergeKey: string): PatchMap {
  return new Map([[mergeKey, requireMergeKey(item, mergeKey)]]);
}

function isSameOrder(original: readonly unknown[], modified: readonly unknown[], mergeKey: string): boolean {
  if (original.length !== modified.length) return false;
  return modified.every((item, place) => itemIdentity(original[place], mergeKey) === itemIdentity(item, mergeKey));
}

function openOrThrow(item: unknown): PatchMap {
  if (!(item instanceof Map)) throw badType('map[string]interface {}', item);
  return item;
}
