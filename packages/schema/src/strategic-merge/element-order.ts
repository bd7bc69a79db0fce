/** The order of a merged list: that of the patch, with the items that only the server has between them. */

import { isRecord } from '@listwatch/api/values';
import { PATCH } from './directives.ts';
import { itemIdentity, requireMergeKeys } from './merge-key.ts';
import { patchMember } from './patch-tree.ts';

/** Lists with the order that their items must have. */
export interface ListOrder {
  readonly mergeKey: string;
  /** The order of the items that it names. */
  readonly patchOrder: readonly unknown[];
  /** The order of all other items, and where they stand between the items of the patch. */
  readonly serverOrder: readonly unknown[];
}

/** The items in their order. The relative orders of both lists are kept; throws when an item has no merge key. */
export function inOrder(items: readonly unknown[], { mergeKey, patchOrder, serverOrder }: ListOrder): unknown[] {
  const patchRanks = ranksOf(patchOrder, mergeKey);
  const [patchItems, serverItems]: [unknown[], unknown[]] = [[], []];
  for (const item of items) (patchRanks.has(itemIdentity(item, mergeKey)) ? patchItems : serverItems).push(item);
  if (mergeKey !== '') requireMergeKeys(serverOrder, mergeKey);
  const serverRanks = ranksOf(serverOrder, mergeKey);
  return interleaved(
    sortedByRank(serverItems, serverRanks, mergeKey),
    sortedByRank(patchItems, patchRanks, mergeKey),
    (item) => serverRanks.get(itemIdentity(item, mergeKey)),
  );
}

/** The items in the order of another list. */
export function sortedLike(items: readonly unknown[], order: readonly unknown[], mergeKey: string): unknown[] {
  return sortedByRank(items, ranksOf(order, mergeKey), mergeKey);
}

/** Where items stand first in a list, by their identities. */
function ranksOf(items: readonly unknown[], mergeKey: string): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const [rank, item] of items.entries()) {
    const identity = itemIdentity(item, mergeKey);
    if (!ranks.has(identity)) ranks.set(identity, rank);
  }
  return ranks;
}

/** Items that are to be deleted come last. Items without a rank come first, in reverse: so does Go's sort with this comparison. */
function sortedByRank(items: readonly unknown[], ranks: ReadonlyMap<string, number>, mergeKey: string): unknown[] {
  const toDelete = mergeKey === '' ? [] : items.filter(isDeletion);
  const kept = toDelete.length === 0 ? items : items.filter((item) => !isDeletion(item));
  const ranked = kept.map((item, index) => ({ item, rank: ranks.get(itemIdentity(item, mergeKey)) ?? -1 - index }));
  const sorted = ranked.toSorted((left, right) => left.rank - right.rank).map(({ item }) => item);
  return [...sorted, ...toDelete];
}

function isDeletion(item: unknown): boolean {
  return isRecord(item) && patchMember(item, PATCH) === 'delete';
}

/** Puts each item of the server before the first item of the patch that the server has behind it. */
function interleaved(
  serverItems: readonly unknown[],
  patchItems: readonly unknown[],
  rankOf: (item: unknown) => number | undefined,
): unknown[] {
  const all: unknown[] = [];
  let next = 0;
  for (const item of patchItems) {
    const rank = rankOf(item) ?? 0;
    for (; next < serverItems.length && (rankOf(serverItems[next]) ?? rank) < rank; next += 1) {
      all.push(serverItems[next]);
    }
    all.push(item);
  }
  return [...all, ...serverItems.slice(next)];
}
