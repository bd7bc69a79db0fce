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
