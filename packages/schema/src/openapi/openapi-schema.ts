/** What OpenAPI says of values: the words that Kubernetes uses of versions 2 and 3. */

/** A schema of OpenAPI. Plain JSON, shared: never change it. */
export interface OpenApiSchema {
  readonly [word: string]: unknown;
}

/** The version of OpenAPI: 3 has defaults and says of Quantity and IntOrString that they are one of two types. */
export type OpenApiVersion = 2 | 3;

/** The coordinates of a kind. */
export interface GroupVersionKind {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
