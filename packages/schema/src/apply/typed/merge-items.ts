/** Merges the items of a set or of a list with keys: their order is worked out from both lists. */

import type { ApplyList, ApplyType } from '../apply-type.ts';
import { itemElement } from './item-element.ts';

/** Merges one item. */
type MergeItem = (live: unknown, config: unknown, type: ApplyType) => unknown;

/**
 * The items of both lists. Those that both have come in the order of the applied list; items of the stored list that the applied one
 * has not keep their place after the item before them. Stored items with one key collapse when the applied list has it.
 */
export function mergeItems(
  live: readonly unknown[],
  config: readonly unknown[],
  list: ApplyList,
  mergeItem: MergeItem,
): readonly unknown[] {
  const liveKeys = live.map((item) => itemElement(list, item));
  const configKeys = config.map((item) => itemElement(list, item));
  const stored = new Map<string, unknown>();
  // Stored items with one key are not merged with the applied one: it takes their place, as it would that of null.
  for (const [index, key] of liveKeys.entries()) stored.set(key, stored.has(key) ? null : live[index]);
  const applied = new Map(configKeys.map((key, index) => [key, config[index]]));
  const merged: unknown[] = [];
  const done = new Set<string>();
  const shared = configKeys.filter((key) => stored.has(key));
  let nextShared = 0;
  const put = (key: string): void => {
    done.add(key);
    merged.push(mergeItem(stored.get(key), applied.get(key), list.item));
  };
  for (let at = 0, to = 0; at < liveKeys.length || to < configKeys.length; ) {
    const liveKey = liveKeys[at];
    const configKey = configKeys[to];
    if (liveKey !== undefined && configKey !== undefined) {
      if (liveKey === configKey) {
        put(liveKey);
        at += 1;
        to += 1;
        nextShared += 1;
        continue;
      }
      const next = shared[nextShared];
      if (applied.has(liveKey) && next !== undefined && next !== liveKey) {
        at += 1;
        continue;
      }
    }
    if (liveKey !== undefined) {
      if (!applied.has(liveKey)) {
        merged.push(live[at]);
        at += 1;
        continue;
      }
      if (done.has(liveKey)) at += 1;
    }
    if (configKey !== undefined) {
      put(configKey);
      to += 1;
      if (shared[nextShared] === configKey) nextShared += 1;
    }
  }
  const isSame = merged.length === live.length && merged.every((item, index) => item === live[index]);
  return isSame ? live : merged;
}
