/** A template that cannot be read, or that does not fit a value. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
