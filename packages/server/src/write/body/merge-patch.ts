/** JSON merge patches (RFC 7386). */

import { isRecord, type JsonRecord } from '@listwatch/api/values';

/** The document with the patch merged in: null removes, objects are merged, all else is replaced. Changes neither. */
export function applyMergePatch(document: unknown, patch: JsonRecord): JsonRecord {
  // A Map, because a field may be named `__proto__`.
  const result = new Map(Object.entries(isRecord(document) ? document : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, isRecord(value) ? applyMergePatch(result.get(name), value) : value);
  }
  return Object.fromEntries(result);
}
