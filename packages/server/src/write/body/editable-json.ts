/** JSON for many changes: a changed container is copied once, all others stay shared with the original. */

import { isRecord } from '@listwatch/api/values';
import { EditableList } from './editable-list.ts';

/** An opened object or list. Objects are Maps, because a field may be named `__proto__` or `constructor`. */
export type EditableContainer = EditableList | Map<string, unknown>;

/** A value whose containers nest too deep to be written down. */
export class DepthError extends Error {
  override readonly name = 'DepthError';
}

/** Is it an opened object or list? */
export function isOpened(value: unknown): value is EditableContainer {
  return value instanceof Map || value instanceof EditableList;
}

/** Opens an object or a list, but not its members. Returns other values and opened containers as they are. */
export function opened(value: unknown): unknown {
  if (isOpened(value)) return value;
  if (Array.isArray(value)) return new EditableList(value);
  return isRecord(value) ? new Map(Object.entries(value)) : value;
}

/** The member of an opened container, opened in its place so that no container is ever copied twice. */
export function openMember(container: EditableContainer, key: number | string): unknown {
  const member = memberOf(container, key);
  const value = opened(member);
  if (value !== member) setMember(container, key, value);
  return value;
}

/** Is the opened value the same as this JSON? Opens what it compares. `null` is not the same as no member. */
export function isSame(value: unknown, json: unknown): boolean {
  if (value instanceof EditableList) {
    if (!Array.isArray(json) || json.length !== value.length) return false;
    return json.every((item, index) => isSame(openMember(value, index), item));
  }
  if (value instanceof Map) {
    if (!isRecord(json)) return false;
    const names = Object.keys(json);
    return (
      names.length === value.size &&
      names.every((name) => value.has(name) && isSame(openMember(value, name), json[name]))
    );
  }
  return value === json;
}

/**
 * The plain JSON of a value: a snapshot that later changes do not reach. Throws a `DepthError` where opened containers nest
 * deeper than `maxDepth`.
 */
export function closed(value: unknown, maxDepth: number): unknown {
  if (!isOpened(value)) return value;
  if (maxDepth === 0) throw new DepthError('nests too deep');
  if (value instanceof EditableList) return value.items().map((item) => closed(item, maxDepth - 1));
  return Object.fromEntries(Array.from(value, ([key, item]) => [key, closed(item, maxDepth - 1)]));
}

/** Throws a `DepthError` for plain JSON whose containers nest deeper than `maxDepth`. */
export function requireDepth(value: unknown, maxDepth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (maxDepth === 0) throw new DepthError('nests too deep');
  for (const member of Array.isArray(value) ? value : Object.values(value)) requireDepth(member, maxDepth - 1);
}

/** The minimum length of a value, in characters: short values take time, too. */
const VALUE_CHARACTERS = 8;

/**
 * The length of plain JSON in characters without escapes, at least eight for each value; counting ends when it exceeds
 * `max`. Throws a `DepthError`.
 */
export function jsonLength(value: unknown, max: number, maxDepth: number): number {
  if (typeof value === 'string') return Math.max(value.length + 2, VALUE_CHARACTERS);
  if (typeof value !== 'object' || value === null) return VALUE_CHARACTERS;
  if (maxDepth === 0) throw new DepthError('nests too deep');
  let length = VALUE_CHARACTERS;
  if (Array.isArray(value)) {
    for (const item of value) {
      length += 1 + jsonLength(item, max - length, maxDepth - 1);
      if (length > max) break;
    }
    return length;
  }
  for (const [key, member] of Object.entries(value)) {
    length += key.length + 4 + jsonLength(member, max - length, maxDepth - 1);
    if (length > max) break;
  }
  return length;
}

function memberOf(container: EditableContainer, key: number | string): unknown {
  return container instanceof EditableList ? container.get(Number(key)) : container.get(String(key));
}

function setMember(container: EditableContainer, key: number | string, value: unknown): void {
  if (container instanceof EditableList) container.set(Number(key), value);
  else container.set(String(key), value);
}
