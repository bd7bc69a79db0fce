/** An object damaged in one place at a time: what two servers say of each mistake can be compared. */

import { isRecord } from '@listwatch/api/values';
import { type ResolvedSchema, type Schema, type SchemaSet } from '@listwatch/schema';
import { encodeJson } from '../../src/stored/exact-json.ts';

/** A copy of an object with one damage. */
export interface DamagedBody {
  /** Where and what: `spec.containers[0].image = ""`. */
  readonly damage: string;
  readonly object: unknown;
}

type Path = readonly (number | string)[];

const ABSENT = Symbol('absent');
const LONG = 'x'.repeat(300);
/** Values for a field by its type; the first ones are of the right type. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  bool: [true, false, 'yes'],
  bytes: ['', 'AAEC', '***'],
  duration: ['1s', '-1s', 'soon'],
  float64: [0, -1.5, 'x'],
  int32: [0, 1, -1, 70_000, 2 ** 31, '1'],
  int64: [0, 1, -1, 2 ** 40, '1'],
  intOrString: [0, -1, 70_000, '50%', '150%', 'http', ''],
  microTime: ['2026-01-01T00:00:00.000000Z', 'yesterday'],
  quantity: ['0', '1', '-1', '1.5', '500m', '1Ti', 'x'],
  string: ['', 'a', 'A b!', LONG, '-x.', '10.0.0.1', '/a/../b', 'example.com/x', 7],
  time: ['2026-01-01T00:00:00Z', 'yesterday'],
};

/** Every damage of an object of the type: values changed, taken away, doubled; absent fields of its structs set. */
export function* damagedBodies(schemas: SchemaSet, type: Schema, object: unknown): Iterable<DamagedBody> {
  for (const { path, value } of damages(schemas, type, object, [])) {
    yield { damage: shown(path, value), object: replaced(object, path, value) };
  }
}

interface Damage {
  readonly path: Path;
  readonly value: unknown;
}

function* damages(schemas: SchemaSet, schema: Schema, value: unknown, path: Path): Iterable<Damage> {
  const resolved = schemas.resolve(schema);
  if ('fields' in resolved) yield* structDamages(schemas, resolved, value, path);
  else if ('list' in resolved) yield* listDamages(schemas, resolved, value, path);
  else if ('map' in resolved) yield* mapDamages(schemas, resolved, value, path);
  else for (const other of scalarValues(resolved)) if (other !== value) yield { path, value: other };
}

function scalarValues({ type, enum: allowed }: Extract<ResolvedSchema, { type: unknown }>): readonly unknown[] {
  return allowed === undefined ? (VALUES[type] ?? []) : [...allowed, '', 'Other'];
}

function* structDamages(
  schemas: SchemaSet,
  { fields }: Extract<ResolvedSchema, { fields: unknown }>,
  value: unknown,
  path: Path,
): Iterable<Damage> {
  const present = isRecord(value) ? value : {};
  for (const [name, field] of Object.entries(fields)) {
    // The names of an object and what the server sets are damaged by tests of their own.
    if (path.length === 0 && (name === 'apiVersion' || name === 'kind' || name === 'metadata')) continue;
    const at = [...path, name];
    if (Object.hasOwn(present, name)) {
      yield { path: at, value: ABSENT };
      yield* damages(schemas, field, present[name], at);
    } else {
      for (const other of fieldValues(schemas, schemas.resolve(field))) yield { path: at, value: other };
    }
  }
  yield { path: [...path, 'unknown'], value: 1 };
  if (path.length > 0) yield { path, value: {} };
  yield { path: path.length === 0 ? ['spec'] : path, value: 'text' };
}

/** For a field that the object has not. */
function fieldValues(schemas: SchemaSet, schema: ResolvedSchema): readonly unknown[] {
  if ('fields' in schema) return [{}];
  if ('list' in schema) {
    const [first] = fieldValues(schemas, schemas.resolve(schema.list));
    return [[], [first], [first, first]];
  }
  if ('map' in schema) return [{ 'A b!': fieldValues(schemas, schemas.resolve(schema.map))[0] }];
  return scalarValues(schema).slice(0, 4);
}

function* listDamages(
  schemas: SchemaSet,
  { list }: Extract<ResolvedSchema, { list: unknown }>,
  value: unknown,
  path: Path,
): Iterable<Damage> {
  const items = Array.isArray(value) ? value : [];
  yield { path, value: [] };
  if (items.length > 0) yield { path, value: [...items, items[0]] };
  yield { path, value: 'text' };
  for (const [index, item] of items.entries()) yield* damages(schemas, list, item, [...path, index]);
}

function* mapDamages(
  schemas: SchemaSet,
  { map }: Extract<ResolvedSchema, { map: unknown }>,
  value: unknown,
  path: Path,
): Iterable<Damage> {
  const entries = Object.entries(isRecord(value) ? value : {});
  yield { path, value: {} };
  for (const [key, item] of entries.slice(0, 3)) {
    for (const other of ['', 'A b!', 'example.com/x/y', LONG]) {
      yield { path, value: Object.fromEntries([...entries.filter(([one]) => one !== key), [other, item]]) };
    }
    yield* damages(schemas, map, item, [...path, key]);
  }
}

function replaced(object: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(object)) return object.map((item, index) => (index === first ? replaced(item, rest, value) : item));
  const { [first]: old, ...others } = isRecord(object) ? object : {};
  const inner = replaced(old, rest, value);
  return inner === ABSENT ? others : { ...others, [first]: inner };
}

function shown(path: Path, value: unknown): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `${text} ${value === ABSENT ? 'is absent' : `= ${encodeJson(value)}`}`.replace(LONG, 'xxx...');
}
