/** JSONPath as client-go and kubectl understand it. */

/** A template that cannot be read. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** How a template is applied. */
export interface JsonPathOptions {
  /** A missing key gives no result instead of an error. Default: false. */
  readonly allowsMissing?: boolean;
}

/**
 * A template such as `{.metadata.name}` or `{range .items[*]}{.kind}{"\n"}{end}`.
 *
 * @example
 * new JsonPath('{.spec.ports[?(@.name=="http")].port}').find(service); // [[80]]
 */
export class JsonPath {
  /** Throws a {@link JsonPathError} when the template cannot be read. */
  constructor(_template: string) {
    throw new Error('not yet');
  }

  /** What the parts of the template find, one list for each part. Throws a {@link JsonPathError}. */
  find(_value: unknown, _options: JsonPathOptions = {}): readonly (readonly unknown[])[] {
    throw new Error('not yet');
  }

  /** The text of all parts. Throws a {@link JsonPathError}. */
  print(_value: unknown, _options: JsonPathOptions = {}): string {
    throw new Error('not yet');
  }
}
