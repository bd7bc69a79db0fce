/** Decoded JSON of unknown form. */

/** An object of unknown members. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether the value is an object, not null and not an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the value is a JSON number. Integers that a double cannot hold are bigints. */
export function isJsonNumber(value: unknown): value is bigint | number {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The name of a value's type in messages about JSON. */
export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const NOTHING: JsonRecord = Object.freeze({});

/** The value when it is an object; an empty one otherwise. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : NOTHING;
}

/** The value when it is a list; an empty one otherwise. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function recordsOf(value: unknown): readonly JsonRecord[] {
  const items = listOf(value);
  // Nearly all lists consist of objects: return the list itself instead of a copy of up to 60 000 items.
  return items.every(isRecord) ? items : items.map(recordOf);
}

/** The value when it is a string; `''` otherwise. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is a number, rounded to a double, for comparisons with a limit; 0 otherwise. */
export function numberOf(value: unknown): number {
  return isJsonNumber(value) ? Number(value) : 0;
}

/** The entries of an object whose values are strings. */
export function textEntriesOf(value: unknown): readonly (readonly [string, string])[] {
  return Object.entries(recordOf(value)).map(([key, text]) => [key, textOf(text)]);
}

/** The members of an object whose values are strings; the object itself if they are. */
export function textRecordOf(value: unknown): Readonly<Record<string, string>> {
  const record = recordOf(value);
  for (const name of Object.keys(record)) {
    if (typeof record[name] !== 'string') return Object.fromEntries(textEntriesOf(value));
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just seen
  return record as Readonly<Record<string, string>>;
}

/** The record without the members that are undefined. */
export function defined(record: JsonRecord): JsonRecord {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(record)) {
    if (record[name] !== undefined) result[name] = record[name];
  }
  return result;
}

/** Whether two values are equal. An absent member equals undefined. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  // A set of all names would cost more than the comparison: maps may have 100 000 members.
  return (
    Object.keys(left).every((name) => sameJson(left[name], right[name])) &&
    Object.keys(right).every((name) => right[name] === undefined || Object.hasOwn(left, name))
  );
}

/** The object with further members. A spread with members behind it costs two microseconds in V8 (measured), which makes a hidden class each time. */
export function extended<T extends object, M extends object>(object: T, members: M): T & M {
  return Object.assign({}, object, members);
}

/** Sets a member. A plain assignment to `__proto__` would set the prototype and lose the value. */
export function setMember(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });
  } else {
    record[name] = value;
  }
}
