/** The canonical form in which objects are stored. */

import { isRecord, type JsonRecord } from './json-value.ts';
import { scalarText } from './scalar-text.ts';
import { SCALAR_NAMES, type ScalarName, type ScalarShape, type Shape, type StructShape, scalarName } from './shape.ts';

/**
 * The object with only the fields of its shape, in the order of the shape. Empty values (null, `''`, `[]`) are dropped, so
 * that equal objects are equal bytes. Values of the wrong type stay as they are.
 */
export function canonical(shape: StructShape, value: JsonRecord): JsonRecord {
  const result: Record<string, unknown> = {};
  for (const [name, field] of shape.entries) {
    const member = canonicalValue(field, value[name]);
    if (member !== undefined) result[name] = member;
  }
  return result;
}

function canonicalValue(shape: Shape, value: unknown): unknown {
  if (typeof shape === 'string') return canonicalScalar(shape, value);
  const missing = value === undefined || value === null;
  if ('struct' in shape) {
    if (missing) return shape.always === true ? canonical(shape, {}) : undefined;
    return isRecord(value) ? canonical(shape, value) : value;
  }
  if ('list' in shape) {
    if (missing) return shape.always === true ? null : undefined;
    if (!Array.isArray(value)) return value;
    if (value.length === 0) return shape.always === true ? [] : undefined;
    return value.map((item) => canonicalItem(shape.list, item));
  }
  if (missing) return undefined;
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  // Go sorts the keys of a map, so that equal maps are equal bytes. Most maps arrive sorted and are not copied.
  if (isSorted(keys) && keys.every((key) => canonicalItem(shape.map, value[key]) === value[key])) return value;
  return Object.fromEntries(keys.toSorted().map((key) => [key, canonicalItem(shape.map, value[key])]));
}

/** An item of a list or a map is always written. */
function canonicalItem(shape: Shape, value: unknown): unknown {
  if (typeof shape === 'string') return scalarText(scalarName(shape), value) ?? ZERO[scalarName(shape)];
  if (!('struct' in shape)) return canonicalValue(shape, value);
  return value === undefined || value === null || isRecord(value) ? canonical(shape, value ?? {}) : value;
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

/** The rule of each scalar shape, precomputed: every field of every write needs it. */
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

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return false;
  return true;
}
