/** JSON merge patches: an edit is sent as what it changes, so that values which the page cannot hold exactly stay as they are. */

import { isRecord } from '@listwatch/api/values';

type Json = Readonly<Record<string, unknown>>;

/** The patch that makes `after` of `before`; undefined when nothing differs. Lists are replaced as a whole. */
export function mergePatch(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return isSame(before, after) ? undefined : after;
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [memberOf(before, name), memberOf(after, name)];
    if (next === undefined) {
      if (old !== undefined) setMember(patch, name, null);
      continue;
    }
    const part = mergePatch(old, next);
    if (part !== undefined) setMember(patch, name, part);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Applies a patch as RFC 7386 says. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(isRecord(target) ? target : {})) setMember(result, name, value);
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete result[name];
    else setMember(result, name, mergePatched(memberOf(result, name), part));
  }
  return result;
}

function memberOf(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A member named `__proto__` is a member like any other. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return Object.is(a, b);
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}
