/** The directives of a strategic merge patch: members whose names begin with `$`. */

import { isRecord } from '@listwatch/api/values';
import { type PatchMap, patchMember } from './patch-tree.ts';
import { malformed, type StrategicMergeError } from './strategic-merge-error.ts';

/** `$patch: replace | delete` of an object, also as an item of a list. */
export const PATCH = '$patch';
/** `$retainKeys: [...]`: members that are not named are removed. */
export const RETAIN_KEYS = '$retainKeys';
/** `$deleteFromPrimitiveList/<field>: [...]`. */
export const DELETE_PREFIX = '$deleteFromPrimitiveList';
/** `$setElementOrder/<field>: [...]`. */
export const ORDER_PREFIX = '$setElementOrder';

export const BAD_DELETE_LIST = 'invalid patch format of primitive list';
export const BAD_RETAIN_KEYS = 'invalid patch format of retainKeys';
export const BAD_ORDER_LIST = 'invalid patch format of setElementOrder list';

/** The field that `<prefix>/<field>` is about. */
export function directedField(name: string, prefix: typeof DELETE_PREFIX | typeof ORDER_PREFIX): string {
  const slash = name.indexOf('/');
  if (slash !== prefix.length) throw badFormat(prefix);
  return name.slice(slash + 1);
}

function badFormat(prefix: string): StrategicMergeError {
  return malformed(prefix === ORDER_PREFIX ? BAD_ORDER_LIST : BAD_DELETE_LIST);
}

/** The `$patch` of an item; undefined when it has none. A null is a directive, too. */
export function patchDirective(item: unknown): { readonly directive: unknown } | undefined {
  const directive = isRecord(item) ? patchMember(item, PATCH) : undefined;
  return directive === undefined ? undefined : { directive };
}

/** Removes members that are null, at any depth. */
export function discardNulls(value: unknown): void {
  if (value instanceof Map) {
    for (const [name, member] of value) {
      if (member === null) value.delete(name);
      else discardNulls(member);
    }
  } else if (Array.isArray(value)) {
    for (const item of value) discardNulls(item);
  }
}

/**
 * The value without objects that have a `$patch`, at any depth; undefined when it is one. Other directives stay, as in Kubernetes,
 * where they are reported as unknown fields.
 */
export function withoutPatchDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatchDirectives).filter((item) => item !== undefined);
  if (!(value instanceof Map)) return value;
  const members: PatchMap = value;
  if (members.has(PATCH)) return undefined;
  for (const [name, member] of members) {
    const kept = withoutPatchDirectives(member);
    if (kept === undefined) members.delete(name);
    else members.set(name, kept);
  }
  return members;
}
