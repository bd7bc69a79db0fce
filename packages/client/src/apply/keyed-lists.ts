/** The lists of the metadata whose items have a name of their own: an apply adds and removes items, and keeps those of others. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';

/** How each list becomes an object of its items and back. */
const KEYED = {
  /** By uid: an object may have owners that are not ours. */
  ownerReferences: {
    key: (item: unknown) => (isRecord(item) ? item['uid'] : undefined),
    value: (item: unknown) => item,
    item: (_: string, value: unknown) => value,
  },
  /** Each one stands for itself. */
  finalizers: {
    key: (item: unknown) => item,
    value: () => true,
    item: (key: string) => key,
  },
} as const;

type KeyedList = keyof typeof KEYED;

const NAMES: readonly KeyedList[] = ['finalizers', 'ownerReferences'];

/** The metadata with these lists as objects. A list with an item that has no key stays a list. */
export function withKeyedLists(metadata: JsonRecord): JsonRecord {
  const keyed = NAMES.flatMap((name) => {
    const items = asObject(name, metadata[name]);
    return items === undefined ? [] : [[name, items] as const];
  });
  return { ...metadata, ...Object.fromEntries(keyed) };
}

/** A patch of such metadata with the lists as lists again, as they are once the patch has been applied to `current`. */
export function withListsOf(patch: JsonRecord, current: JsonRecord): JsonRecord {
  const lists = NAMES.flatMap((name) => {
    const change = patch[name];
    if (!isRecord(change)) return [];
    const items = new Map(Object.entries(asObject(name, current[name]) ?? {}));
    for (const [key, value] of Object.entries(change)) {
      const before = items.get(key);
      if (value === null) items.delete(key);
      else items.set(key, isRecord(value) && isRecord(before) ? { ...before, ...value } : value);
    }
    return [[name, Array.from(items, ([key, value]) => KEYED[name].item(key, value))] as const];
  });
  return { ...patch, ...Object.fromEntries(lists) };
}

function asObject(name: KeyedList, list: unknown): JsonRecord | undefined {
  if (!Array.isArray(list)) return undefined;
  const { key, value } = KEYED[name];
  const entries = list.map((item: unknown) => [key(item), value(item)] as const);
  if (entries.some(([found]) => typeof found !== 'string')) return undefined;
  return Object.fromEntries(entries.map(([found, item]) => [String(found), item]));
}
