/**
 * JSON that a merge may change. Objects are Maps, because a field may have the name of something that every object inherits; the
 * plain objects within are untouched parts of the input.
 */

import { isRecord } from '@listwatch/api/values';
import { malformed } from './strategic-merge-error.ts';

/** An object that may be changed. */
export type PatchMap = Map<string, unknown>;

/** JSON that nests deeper is refused: every function here recurses. */
const MAX_DEPTH = 1000;

/** A member of a JSON object, plain or open; undefined when it has none. JSON has no undefined. */
export function patchMember(object: object, name: string): unknown {
  if (object instanceof Map) return object.get(name);
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

/** The object as a Map: itself when it is one, otherwise a new one whose members are untouched. */
export function openObject(value: object): PatchMap {
  return value instanceof Map ? value : new Map(Object.entries(value));
}

/** A deep copy that may be changed. Throws when it nests too deep. */
export function openTree(value: unknown, depth: number = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth === 0) throw malformed(`the document nests deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item) => openTree(item, depth - 1));
  const tree: PatchMap = new Map();
  for (const [name, member] of value instanceof Map ? value : Object.entries(value)) {
    if (member !== undefined) tree.set(name, openTree(member, depth - 1));
  }
  return tree;
}

/** A deep copy of an object that may be changed. */
export function openTreeOf(value: object): PatchMap {
  const tree = openTree(value);
  return tree instanceof Map ? tree : new Map();
}

/** Plain JSON again. Untouched parts are not copied. */
export function closeTree(value: unknown): unknown {
  if (value instanceof Map) return closeObject(value);
  if (!Array.isArray(value)) return value;
  const items = value.map(closeTree);
  return items.every((item, index) => item === value[index]) ? value : items;
}

/** Plain JSON of an open object. */
export function closeObject(value: PatchMap): Record<string, unknown> {
  return Object.fromEntries(Array.from(value, ([name, member]) => [name, closeTree(member)]));
}

/** Are two values the same JSON, plain or open? The order of members does not matter. */
export function isSameTree(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSameTree(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const [one, other] = [openObject(left), openObject(right)];
  if (one.size !== other.size) return false;
  for (const [name, member] of one) {
    if (!other.has(name) || !isSameTree(member, other.get(name))) return false;
  }
  return true;
}
