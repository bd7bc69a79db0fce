/** The old items of a list that belong to its items: only lists of `x-kubernetes-list-type: map` have such. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { encodedText } from '../go-value.ts';

const NO_OLD = (): null => null;

/** Gives the old item of an item; null when there is none. */
export function oldItems(schema: JsonRecord, old: unknown): (item: unknown) => unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old) || old.length === 0) return NO_OLD;
  const list = schema['x-kubernetes-list-map-keys'];
  const keys = (Array.isArray(list) ? list : []).filter((key) => typeof key === 'string');
  const byKeys = new Map<string, unknown>();
  for (const item of old) {
    const key = keyOf(item, keys);
    if (key !== undefined && !byKeys.has(key)) byKeys.set(key, item);
  }
  return (item) => {
    const key = keyOf(item, keys);
    return key === undefined ? null : (byKeys.get(key) ?? null);
  };
}

function keyOf(item: unknown, keys: readonly string[]): string | undefined {
  return isRecord(item) ? encodedText(keys.map((key) => item[key] ?? null)) : undefined;
}
