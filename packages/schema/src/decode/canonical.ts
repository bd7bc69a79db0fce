/** The canonical form of an object: equal objects are equal bytes. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { DecodePlan, EmptyForm, FieldPlan, FormPlan, ListPlan, MapPlan, StructPlan } from './decode-plan.ts';
import { type DocumentCheck, insertField } from './document-check.ts';
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
  return formOf(plan, value, { count, check: undefined }, known);
}

/**
 * The canonical form of a document without faults: the same as `canonical`, in the pass that looks for them. `isPlain` of `check` says
 * whether there are none; if there may be some, the result means nothing. Throws what `count` throws.
 */
export function checkedForm(plan: StructPlan, value: JsonRecord, count: ByteCount, check: DocumentCheck): JsonRecord {
  return formOf(plan, value, { count, check }, undefined);
}

/** What one pass over an object carries. */
interface Pass {
  readonly count: ByteCount;
  readonly check: DocumentCheck | undefined;
}

function formOf(plan: StructPlan, value: JsonRecord, pass: Pass, known: unknown): JsonRecord {
  const { count, check } = pass;
  const before = isRecord(known) ? known : undefined;
  const keys = Object.keys(value);
  // Most objects come in this form. They are taken as they are: to copy one costs more than to look at it.
  let same = 0;
  let result: Record<string, unknown> | undefined = plan.keepsUnknown ? {} : undefined;
  for (const field of check === undefined ? writtenFields(plan, value, keys) : check.fields(plan, value, keys)) {
    const { name } = field;
    const own = value[name];
    const member = canonicalMember(field, own, pass, before?.[name]);
    if (member === undefined) continue;
    count.take(name.length + QUOTES_COLON_COMMA + (typeof member === 'string' ? member.length + 2 : 1));
    if (result === undefined && member === own && keys[same] === name) same += 1;
    else {
      result ??= firstMembers(value, keys, same);
      result[name] = member;
    }
  }
  if (result === undefined) return same === keys.length ? value : firstMembers(value, keys, same);
  if (plan.keepsUnknown) keepUnknown(plan, value, result, count);
  return result;
}

function firstMembers(value: JsonRecord, keys: readonly string[], count: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (let at = 0; at < count; at += 1) {
    const name = keys[at] ?? '';
    result[name] = value[name];
  }
  return result;
}

/** To look for each of so many fields costs less than to look up the names of the members. */
const FEW_FIELDS = 8;

/** The fields that the value may have, in their order. A JSON schema has 43 fields, and 25 000 of them may use one each. */
export function writtenFields(
  plan: StructPlan,
  value: object,
  keys: readonly string[] = Object.keys(value),
): readonly FieldPlan[] {
  const { fields, byName, alwaysFields } = plan;
  if (fields.length <= FEW_FIELDS || keys.length * 2 > fields.length) return fields;
  const [only = ''] = keys;
  // Most of them use one, and a list to sort costs as much as the field.
  if (keys.length === 1 && alwaysFields.length === 0) return byName.get(only)?.alone ?? NO_FIELDS;
  const found = [...alwaysFields];
  for (const key of keys) {
    const field = byName.get(key);
    if (field !== undefined && !field.isAlways) insertField(found, field);
  }
  return found;
}

const NO_FIELDS: readonly FieldPlan[] = [];

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

function canonicalMember(field: FieldPlan, value: unknown, pass: Pass, known: unknown): unknown {
  const { plan } = field;
  if (value === known && value !== undefined) return value;
  const isMissing = value === undefined || value === null;
  if (pass.check !== undefined && !isMissing) pass.check.look(plan, value);
  if (plan.is === 'scalar') {
    if (isMissing) return field.isAlways ? field.zero : undefined;
    return field.isKept || value !== field.zero ? scalarText(plan.scalar, value) : undefined;
  }
  if (isMissing) {
    if (!field.isAlways) return undefined;
    return plan.is === 'struct' && !field.isPointer ? canonicalStruct(plan, EMPTY, pass, undefined) : null;
  }
  switch (plan.is) {
    case 'struct': {
      if (!isRecord(value)) return value;
      const form = canonicalStruct(plan, value, pass, known);
      return field.omitsZero && isEmptyForm(plan, form) ? undefined : form;
    }
    case 'list':
      if (Array.isArray(value) && value.length === 0) return field.nullsEmpty ? null : field.isKept ? value : undefined;
      return canonicalList(plan, value, pass, known);
    case 'map':
      return isRecord(value) && isEmpty(value) && !field.isKept ? undefined : canonicalMap(plan, value, pass);
    case 'form':
      return canonicalForm(plan, value, pass);
  }
}

function canonicalStruct(plan: StructPlan, value: JsonRecord, pass: Pass, known: unknown): JsonRecord {
  if (!isEmpty(value)) return formOf(plan, value, pass, known);
  const { form, bytes } = plan.emptyForm;
  pass.count.take(bytes);
  return form;
}

function canonicalList(plan: ListPlan, value: unknown, pass: Pass, known: unknown): unknown {
  if (!Array.isArray(value)) return value;
  pass.count.requireRoom(value.length * (plan.itemBytes ?? leastBytes(plan.item)));
  const { item } = plan;
  const before: readonly unknown[] = Array.isArray(known) ? known : NO_ITEMS;
  let changed: unknown[] | undefined;
  for (let index = 0; index < value.length; index += 1) {
    const own: unknown = value[index];
    const form = canonicalItem(item, own, pass, before[index]);
    if (form !== own) changed ??= value.slice(0, index);
    changed?.push(form);
  }
  return changed ?? value;
}

const NO_ITEMS: readonly unknown[] = [];

function canonicalMap(plan: MapPlan, value: unknown, pass: Pass): unknown {
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  const { count, check } = pass;
  check?.countMembers(keys.length);
  const limited = plan.limit === undefined ? count : count.ofLimitedMap();
  const inside = limited === count ? pass : { count: limited, check };
  // An item counts its own comma.
  (plan.limit === 'all' ? limited : count).take(keysLength(keys) + keys.length * (QUOTES_COLON_COMMA - 1));
  const items = keys.map((key) => canonicalItem(plan.item, value[key], inside, undefined));
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
function canonicalItem(plan: DecodePlan, value: unknown, pass: Pass, known: unknown): unknown {
  if (pass.check !== undefined && value !== null && value !== undefined) pass.check.look(plan, value);
  if (plan.is === 'scalar') {
    const item = value === null || value === undefined ? SCALAR_ZEROS[plan.scalar] : scalarText(plan.scalar, value);
    pass.count.take(typeof item === 'string' ? item.length + 3 : 2);
    return item;
  }
  pass.count.take(1);
  if (value === known && value !== undefined) return value;
  if (value === undefined || value === null) {
    return plan.is === 'struct' ? canonicalStruct(plan, EMPTY, pass, undefined) : null;
  }
  switch (plan.is) {
    case 'struct':
      if (!isRecord(value)) return value;
      return canonicalStruct(plan, value, pass, known);
    case 'list':
      return canonicalList(plan, value, pass, known);
    case 'map':
      return canonicalMap(plan, value, pass);
    case 'form':
      return canonicalForm(plan, value, pass);
  }
}

/** Go reads nothing from a value that is none of the branches. */
function canonicalForm({ form, branches }: FormPlan, value: unknown, pass: Pass): unknown {
  if (typeof value === 'boolean' && branches.bool !== undefined) return value;
  const branch = Array.isArray(value) ? branches.list : isRecord(value) ? branches.struct : undefined;
  if (branch === undefined) return form === 'orBool' ? false : null;
  if (Array.isArray(value) && value.length === 0) return null;
  return canonicalItem(branch, value, pass, undefined);
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
