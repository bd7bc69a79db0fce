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
  // Nearly all lists are all objects, and a copy of 60 000 is garbage.
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
