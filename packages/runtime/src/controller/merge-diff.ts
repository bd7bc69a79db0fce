/** The JSON merge patch that leads from one state to another. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';

/**
 * The part of `wanted` that `current` does not have; undefined when it has all of it. Members that are absent or undefined in
 * `wanted` stay as they are, and null removes one. A list that differs is in the patch as a whole.
 */
export function mergeDiff(current: unknown, wanted: JsonRecord): JsonRecord | undefined {
  const have = isRecord(current) ? current : {};
  const changes = Object.entries(wanted)
    .map(([name, value]) => [name, changeOf(Object.hasOwn(have, name) ? have[name] : undefined, value)] as const)
    .filter(([, change]) => change !== undefined);
  // `fromEntries` and not an assignment: a member named `__proto__` must become a member.
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function changeOf(have: unknown, want: unknown): unknown {
  if (want === null) return have === undefined || have === null ? undefined : null;
  if (isRecord(want) && isRecord(have)) return mergeDiff(have, want);
  return isEqual(have, want) ? undefined : want;
}

/** Equality of JSON: members that are undefined do not count. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = definedNames(a);
  return (
    names.length === definedNames(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

function definedNames(object: JsonRecord): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}
