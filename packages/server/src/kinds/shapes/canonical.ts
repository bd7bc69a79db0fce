/** The canonical form of an object: equal objects are equal bytes. */

import { isRecord, type JsonRecord } from './json-value.ts';
import { scalarText } from './scalar-text.ts';
import { SCALAR_NAMES, type ScalarName, type ScalarShape, type Shape, type StructShape, scalarName } from './shape.ts';
import { MAX_LIMITED_BYTES, MAX_OBJECT_BYTES, SizeBudget } from './size-budget.ts';

/**
 * The object with the fields of its shape only, in the order of the shape. Members without content (null, `''`, `[]`) are left
 * out, so that two documents that mean the same are the same bytes. Values of the wrong type stay as they are. Throws the
 * 500 of an object that is too large as soon as that is certain.
 */
export function canonical(shape: StructShape, value: JsonRecord): JsonRecord {
  return canonicalMembers(shape, value, new SizeBudget(MAX_OBJECT_BYTES));
}

function canonicalMembers(shape: StructShape, value: JsonRecord, budget: SizeBudget): JsonRecord {
  const result: Record<string, unknown> = {};
  for (const [name, field] of shape.entries) {
    const member = canonicalValue(field, value[name], budget);
    if (member === undefined) continue;
    result[name] = member;
    budget.take(name.length + QUOTES_COLON_COMMA + (typeof member === 'string' ? member.length + 2 : 1));
  }
  return result;
}

/** The bytes of a member in JSON beside its name and its value. */
const QUOTES_COLON_COMMA = 4;

const EMPTY: JsonRecord = Object.freeze({});

/** What `{}` becomes, by shape: made once, because lists may hold a million of them. */
const emptyForms = new WeakMap<StructShape, EmptyForm>();

interface EmptyForm {
  readonly form: JsonRecord;
  readonly bytes: number;
}

function canonicalStruct(shape: StructShape, value: JsonRecord, budget: SizeBudget): JsonRecord {
  if (!isEmpty(value)) return canonicalMembers(shape, value, budget);
  const { form, bytes } = emptyForm(shape);
  budget.take(bytes);
  return form;
}

function emptyForm(shape: StructShape): EmptyForm {
  const known = emptyForms.get(shape);
  if (known !== undefined) return known;
  const form = Object.freeze(canonical(shape, EMPTY));
  const made = { form, bytes: JSON.stringify(form).length };
  emptyForms.set(shape, made);
  return made;
}

/** What an item of a list takes at least, with the comma behind it. */
function leastBytes(shape: Shape): number {
  if (typeof shape === 'string') return scalarName(shape) === 'string' ? 3 : 2;
  return 'struct' in shape ? emptyForm(shape).bytes + 1 : 3;
}

function canonicalValue(shape: Shape, value: unknown, budget: SizeBudget): unknown {
  if (typeof shape === 'string') return canonicalScalar(shape, value);
  const missing = value === undefined || value === null;
  if ('struct' in shape) {
    if (missing) return shape.always === true ? canonicalStruct(shape, EMPTY, budget) : undefined;
    return isRecord(value) ? canonicalStruct(shape, value, budget) : value;
  }
  if ('list' in shape) {
    if (missing) return shape.always === true ? null : undefined;
    if (!Array.isArray(value)) return value;
    if (value.length === 0) return shape.always === true ? [] : undefined;
    budget.requireRoom(value.length * (shape.itemBytes ?? leastBytes(shape.list)));
    return value.map((item) => canonicalItem(shape.list, item, budget));
  }
  if (missing) return undefined;
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  const limited = shape.limit === undefined ? budget : new SizeBudget(MAX_LIMITED_BYTES);
  // An item counts its own comma.
  (shape.limit === 'all' ? limited : budget).take(keysLength(keys) + keys.length * (QUOTES_COLON_COMMA - 1));
  const items = keys.map((key) => canonicalItem(shape.map, value[key], limited));
  // Go writes the keys of a map in their order, so that equal maps are equal bytes.
  // Most maps arrive sorted and are returned as they are.
  const isUnchanged = items.every((item, index) => item === value[keys[index] ?? '']);
  if (isUnchanged) return isSorted(keys) ? value : Object.fromEntries(keys.toSorted().map((key) => [key, value[key]]));
  const byKey = new Map(keys.map((key, index) => [key, items[index]]));
  return Object.fromEntries(keys.toSorted().map((key) => [key, byKey.get(key)]));
}

/** An item of a list or a map is always written. */
function canonicalItem(shape: Shape, value: unknown, budget: SizeBudget): unknown {
  if (typeof shape === 'string') {
    const item = scalarText(scalarName(shape), value) ?? ZERO[scalarName(shape)];
    budget.take(typeof item === 'string' ? item.length + 3 : 2);
    return item;
  }
  budget.take(1);
  if (!('struct' in shape)) return canonicalValue(shape, value, budget);
  if (value === undefined || value === null) return canonicalStruct(shape, EMPTY, budget);
  return isRecord(value) ? canonicalStruct(shape, value, budget) : value;
}

function canonicalScalar(shape: ScalarShape, value: unknown): unknown {
  const { name, zero, isAlways, isKept } = RULES.get(shape) ?? ANY;
  if (value === undefined || value === null) return isAlways ? zero : undefined;
  return isKept || value !== zero ? scalarText(name, value) : undefined;
}

const ZERO: Readonly<Record<ScalarName, unknown>> = {
  any: null,
  bool: false,
  bytes: '',
  float64: 0,
  int32: 0,
  int64: 0,
  intOrString: 0,
  microTime: null,
  quantity: '0',
  string: '',
  time: null,
};

interface ScalarRule {
  readonly name: ScalarName;
  readonly zero: unknown;
  /** Written even when it is absent. */
  readonly isAlways: boolean;
  /** Written even when it is zero. */
  readonly isKept: boolean;
}

const ANY: ScalarRule = { name: 'any', zero: null, isAlways: false, isKept: false };

/** The meaning of each scalar's marks, in a table: this is looked up for every field of every write. */
const RULES: ReadonlyMap<string, ScalarRule> = new Map(
  SCALAR_NAMES.flatMap((name): [ScalarShape, ScalarRule][] => {
    const rule = { ...ANY, name, zero: ZERO[name] };
    return [
      [name, rule],
      [`*${name}`, { ...rule, isKept: true }],
      [`${name}!`, { ...rule, isAlways: true, isKept: true }],
    ];
  }),
);

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
