/** Decoded JSON that is an object. */

/** An object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Is it an object, and neither null nor an array? */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
