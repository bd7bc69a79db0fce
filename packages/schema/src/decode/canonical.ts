/** The canonical form of an object: equal objects are equal bytes. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { DecodePlan, EmptyForm, FieldPlan, FormPlan, ListPlan, MapPlan, StructPlan } from './decode-plan.ts';
import { scalarText } from './scalar-text.ts';
import { SCALAR_ZEROS } from './scalar-zeros.ts';

/** Counts the JSON of an object while it is built: work for one that is too large ends early. */
export interface ByteCount {
  /** Takes what a part of the object needs at least. Throws when that is too much. */
  take(bytes: number): void;
  /** Throws the same when there is no room for so many bytes, before anything of them is built. */
  requireRoom(bytes: number): void;
  /** The count of a map whose kind limits its size. */
  ofLimitedMap(): ByteCount;
}

const UNCOUNTED: ByteCount = {
  take: () => undefined,
  requireRoom: () => undefined,
  ofLimitedMap: () => UNCOUNTED,
};

/**
 * The object with the fields of its plan only, in their order. Members without content (null, `''`, `[]`) are left out, so that
 * two documents that mean the same are the same bytes. Values of the wrong type stay as they are. Throws what `count`
 * throws. `known` is an object in canonical form: the parts that the value shares with it are taken as they are, and not counted.
 */
export function canonical(
  plan: StructPlan,
  value: JsonRecord,
  count: ByteCount = UNCOUNTED,
  known?: unknown,
): JsonRecord {
  const result: Record<string, unknown> = {};
  fill(result, plan, value, count, known);
  return result;
}

/** Writes the members of the canonical form into `result`. */
function fill(
  result: Record<string, unknown>,
  plan: StructPlan,
  value: JsonRecord,
  count: ByteCount,
  known: unknown,
): void {
  const before = isRecord(known) ? known : undefined;
  for (const field of writtenFields(plan, value)) {
    const { name } = field;
    const member = canonicalMember(field, value[name], count, before?.[name]);
    if (member === undefined) continue;
    result[name] = member;
    count.take(name.length + QUOTES_COLON_COMMA + (typeof member === 'string' ? member.length + 2 : 1));
  }
  if (plan.keepsUnknown) keepUnknown(plan, value, result, count);
}

/** Structs with fewer fields, or objects with more members, are gone through field by field: to sort costs more. */
const MANY_FIELDS = 24;
const FEW_MEMBERS = 3;

/** The fields that the value may have, in their order. A JSON schema has 43 fields, and 25 000 of them may use one each. */
export function writtenFields(plan: StructPlan, value: object): readonly FieldPlan[] {
  const { fields } = plan;
  if (fields.length < MANY_FIELDS) return fields;
  const keys = Object.keys(value);
  if (keys.length > FEW_MEMBERS) return fields;
  const { byName, alwaysFields } = plan;
  const [only = ''] = keys;
  // Most of them use one, and a list to sort costs as much as the field.
  if (keys.length === 1 && alwaysFields.length === 0) return byName.get(only)?.alone ?? NO_FIELDS;
  const found = [...alwaysFields];
  for (const key of keys) {
    const field = byName.get(key);
    if (field !== undefined && !field.isAlways) found.push(field);
  }
  return found.length < 2 ? found : found.toSorted(byIndex);
}

const NO_FIELDS: readonly FieldPlan[] = [];

function byIndex(left: FieldPlan, right: FieldPlan): number {
  return left.index - right.index;
}

/** The bytes of a member in JSON beside its name and its value. */
const QUOTES_COLON_COMMA = 4;

const EMPTY: JsonRecord = Object.freeze({});

/** What an object without members becomes. Plans keep it. */
export function emptyForm(plan: StructPlan): EmptyForm {
  const form = Object.freeze(canonical(plan, EMPTY));
  return { form, bytes: JSON.stringify(form).length };
}

function keepUnknown(plan: StructPlan, value: JsonRecord, result: Record<string, unknown>, count: ByteCount): void {
  for (const name of Object.keys(value)) {
    if (plan.byName.has(name)) continue;
    count.take(name.length + QUOTES_COLON_COMMA + 1);
    // Assigned, the key `__proto__` would change the prototype and lose its value.
    Object.defineProperty(result, name, {
      value: value[name],
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
}

function canonicalMember(field: FieldPlan, value: unknown, count: ByteCount, known: unknown): unknown {
  const { plan } = field;
  if (value === known && value !== undefined) return value;
  const isMissing = value === undefined || value === null;
  if (plan.is === 'scalar') {
    if (isMissing) return field.isAlways ? field.zero : undefined;
    return field.isKept || value !== field.zero ? scalarText(plan.scalar, value) : undefined;
  }
  if (isMissing) {
    if (!field.isAlways) return undefined;
    return plan.is === 'struct' && !field.isPointer ? canonicalStruct(plan, EMPTY, count, undefined) : null;
  }
  switch (plan.is) {
    case 'struct': {
      if (!isRecord(value)) return value;
      const form = canonicalStruct(plan, value, count, known);
      return field.omitsZero && isEmptyForm(plan, form) ? undefined : form;
    }
    case 'list':
      if (Array.isArray(value) && value.length === 0) return field.nullsEmpty ? null : field.isKept ? value : undefined;
      return canonicalList(plan, value, count, known);
    case 'map':
      return isRecord(value) && isEmpty(value) && !field.isKept ? undefined : canonicalMap(plan, value, count);
    case 'form':
      return canonicalForm(plan, value, count);
  }
}

function canonicalStruct(plan: StructPlan, value: JsonRecord, count: ByteCount, known: unknown): JsonRecord {
  if (!isEmpty(value)) return canonical(plan, value, count, known);
  const { form, bytes } = plan.emptyForm;
  count.take(bytes);
  return form;
}

function canonicalList(plan: ListPlan, value: unknown, count: ByteCount, known: unknown): unknown {
  if (!Array.isArray(value)) return value;
  count.requireRoom(value.length * (plan.itemBytes ?? leastBytes(plan.item)));
  const { item } = plan;
  const before: readonly unknown[] = Array.isArray(known) ? known : NO_ITEMS;
  return value.map((one, index) => canonicalItem(item, one, count, before[index]));
}

const NO_ITEMS: readonly unknown[] = [];

function canonicalMap(plan: MapPlan, value: unknown, count: ByteCount): unknown {
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  const limited = plan.limit === undefined ? count : count.ofLimitedMap();
  // An item counts its own comma.
  (plan.limit === 'all' ? limited : count).take(keysLength(keys) + keys.length * (QUOTES_COLON_COMMA - 1));
  const items = keys.map((key) => canonicalItem(plan.item, value[key], limited, undefined));
  // Go writes the keys of a map in their order, so that equal maps are equal bytes.
  // Most maps arrive sorted and are returned as they are.
  const sorted = isSorted(keys);
  const isUnchanged = items.every((item, index) => item === value[keys[index] ?? '']);
  if (isUnchanged) return sorted ? value : Object.fromEntries(keys.toSorted().map((key) => [key, value[key]]));
  if (sorted) return Object.fromEntries(keys.map((key, index) => [key, items[index]]));
  const byKey = new Map(keys.map((key, index) => [key, items[index]]));
  return Object.fromEntries(keys.toSorted().map((key) => [key, byKey.get(key)]));
}

/** An item of a list or a map is always written. */
function canonicalItem(plan: DecodePlan, value: unknown, count: ByteCount, known: unknown): unknown {
  if (plan.is === 'scalar') {
    const item = value === null || value === undefined ? SCALAR_ZEROS[plan.scalar] : scalarText(plan.scalar, value);
    count.take(typeof item === 'string' ? item.length + 3 : 2);
    return item;
  }
  count.take(1);
  if (value === known && value !== undefined) return value;
  if (value === undefined || value === null) {
    return plan.is === 'struct' ? canonicalStruct(plan, EMPTY, count, undefined) : null;
  }
  switch (plan.is) {
    case 'struct':
      if (!isRecord(value)) return value;
      return canonicalStruct(plan, value, count, known);
    case 'list':
      return canonicalList(plan, value, count, known);
    case 'map':
      return canonicalMap(plan, value, count);
    case 'form':
      return canonicalForm(plan, value, count);
  }
}

/** Go reads nothing from a value that is none of the branches. */
function canonicalForm({ form, branches }: FormPlan, value: unknown, count: ByteCount): unknown {
  if (typeof value === 'boolean' && branches.bool !== undefined) return value;
  const branch = Array.isArray(value) ? branches.list : isRecord(value) ? branches.struct : undefined;
  if (branch === undefined) return form === 'orBool' ? false : null;
  if (Array.isArray(value) && value.length === 0) return null;
  return canonicalItem(branch, value, count, undefined);
}

/** What an item of a list takes at least, with the comma behind it. */
function leastBytes(plan: DecodePlan): number {
  if (plan.is === 'struct') return plan.emptyForm.bytes + 1;
  return plan.is === 'scalar' && plan.scalar !== 'string' ? 2 : 3;
}

function isEmptyForm(plan: StructPlan, form: JsonRecord): boolean {
  return form === plan.emptyForm.form || JSON.stringify(form) === JSON.stringify(plan.emptyForm.form);
}

function keysLength(keys: readonly string[]): number {
  let length = 0;
  for (const key of keys) length += key.length;
  return length;
}

function isEmpty(value: JsonRecord): boolean {
  // Cheaper than a list of keys. The prototype has no enumerable members.
  for (const _ in value) return false;
  return true;
}

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return false;
  return true;
}
