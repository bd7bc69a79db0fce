/** Items of sets and keys of map lists must be unique: `x-kubernetes-list-type`. */

import { type FieldError, fieldDuplicate, fieldInvalid } from '@listwatch/api';
import { isRecord, type JsonRecord } from '../../decode/json-record.ts';
import { childPath, indexPath, keyPath } from '../field-path.ts';
import { encodedText, sortedJson } from '../go-value.ts';
import type { SchemaPart } from '../schema-part.ts';

/** The repeated items of all sets and map lists of a value. */
export function repeatedItems(value: unknown, part: SchemaPart | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  collect(value, part, '', errors);
  return errors;
}

/** Recurses no deeper than the schema. */
function collect(value: unknown, part: SchemaPart | undefined, path: string, errors: FieldError[]): void {
  if (part === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) collectList(value, part, path, errors);
  else if (isRecord(value)) collectMembers(value, part, path, errors);
}

function collectMembers(record: JsonRecord, part: SchemaPart, path: string, errors: FieldError[]): void {
  for (const name of Object.keys(record)) {
    const member = record[name];
    if (typeof member !== 'object' || member === null) continue;
    const property = part.property(name);
    if (property !== undefined) collect(member, property, childPath(path, name), errors);
    else if (part.additional !== undefined) collect(member, part.additional, keyPath(path, name), errors);
  }
}

function collectList(list: readonly unknown[], part: SchemaPart, path: string, errors: FieldError[]): void {
  if (part.listType === 'set') {
    for (const index of repeats(list)) errors.push(fieldDuplicate(indexPath(path, index), sortedJson(list[index])));
  } else if (part.listType === 'map') errors.push(...repeatedKeys(list, part.listKeys, path));
  const { items } = part;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    if (typeof item === 'object' && item !== null) collect(item, items, indexPath(path, index), errors);
  }
}

function repeatedKeys(list: readonly unknown[], keys: readonly string[], path: string): readonly FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isRecord(item));
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [fieldInvalid(indexPath(path, wrong), list[wrong], detail)];
  }
  const found = list.map((item) => keysOf(item, keys));
  return repeats(found).map((index) => fieldDuplicate(indexPath(path, index), sortedJson(found[index])));
}

function keysOf(item: unknown, keys: readonly string[]): JsonRecord {
  if (!isRecord(item)) return {};
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(item, key) ? [[key, item[key]]] : [])));
}

/** Where a value stands for the second time; not where it stands for the third. */
function repeats(list: readonly unknown[]): readonly number[] {
  const counts = new Map<string, number>();
  const found: number[] = [];
  if (list.length < 2) return found;
  for (const [index, item] of list.entries()) {
    const text = encodedText(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === 2) found.push(index);
  }
  return found;
}
