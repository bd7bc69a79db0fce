/** Items of sets and keys of map lists must be unique: `x-kubernetes-list-type`. */

import { type FieldError, fieldDuplicate, fieldInvalid } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { childPath, indexPath, keyPath } from '../error-path.ts';
import { encodedText, sortedJson } from '../go-value.ts';
import type { SchemaPart } from '../schema-part.ts';
import { traitsOf } from '../schema-traits.ts';

/** A list has no more errors than a message lists. */
const ERRORS_MAX = 101;

interface Walk {
  readonly errors: FieldError[];
}

/** The repeated items of all sets and map lists of a value. */
export function repeatedItems(value: unknown, part: SchemaPart | undefined): readonly FieldError[] {
  const walk: Walk = { errors: [] };
  collect(value, part, '', walk);
  return walk.errors;
}

/** Recurses no deeper than the schema. */
function collect(value: unknown, part: SchemaPart | undefined, path: string, walk: Walk): void {
  if (part === undefined || walk.errors.length >= ERRORS_MAX) return;
  if (Array.isArray(value)) collectList(value, part, path, walk);
  else if (isRecord(value)) collectMembers(value, part, path, walk);
}

function collectMembers(record: JsonRecord, part: SchemaPart, path: string, walk: Walk): void {
  for (const name of Object.keys(record)) {
    const member = record[name];
    if (typeof member !== 'object' || member === null) continue;
    const property = part.property(name);
    if (property !== undefined) collect(member, property, childPath(path, name), walk);
    else if (part.additional !== undefined) collect(member, part.additional, keyPath(path, name), walk);
  }
}

function collectList(list: readonly unknown[], part: SchemaPart, path: string, walk: Walk): void {
  if (part.listType === 'set') {
    const found = repeats(list);
    walk.errors.push(...found.map((index) => fieldDuplicate(indexPath(path, index), sortedJson(list[index]))));
  } else if (part.listType === 'map') walk.errors.push(...repeatedKeys(list, part.listKeys, path));
  const { items } = part;
  if (items === undefined || !holdsMore(items)) return;
  for (const [index, item] of list.entries()) {
    if (typeof item === 'object' && item !== null) collect(item, items, indexPath(path, index), walk);
  }
}

function holdsMore(part: SchemaPart): boolean {
  return traitsOf(part.source).hasUniqueLists;
}

function repeatedKeys(list: readonly unknown[], keys: readonly string[], path: string): readonly FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isRecord(item));
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [fieldInvalid(indexPath(path, wrong), list[wrong], detail)];
  }
  const found = list.map((item) => keysOf(item, keys));
  const repeated = repeats(found);
  return repeated.map((index) => fieldDuplicate(indexPath(path, index), sortedJson(found[index])));
}

function keysOf(item: unknown, keys: readonly string[]): JsonRecord {
  if (!isRecord(item)) return {};
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(item, key) ? [[key, item[key]]] : [])));
}

/** Where a value stands for the second time; not where it stands for the third. */
function repeats(list: readonly unknown[]): readonly number[] {
  const found: number[] = [];
  if (list.length < 2) return found;
  // Scalars are told apart as they are: a text for each of a million numbers would take a second.
  const counts = new Map<unknown, number>();
  const texts = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const isScalar = typeof item !== 'object' || item === null;
    const count = isScalar ? counted(counts, item) : counted(texts, encodedText(item));
    if (count === 2 && found.length < ERRORS_MAX) found.push(index);
  }
  return found;
}

function counted<K>(counts: Map<K, number>, key: K): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
