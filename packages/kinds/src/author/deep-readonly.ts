/** The types of objects that others share. */

type Scalar = bigint | boolean | number | string | null | undefined;

/** Read-only on every level. */
export type DeepReadonly<V> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : V extends object
      ? { readonly [K in keyof V]: DeepReadonly<V[K]> }
      : V;

/**
 * What a server answers: read-only on every level, because caches share it and a write would change what all others read; and
 * without members that are there and undefined, which JSON does not have.
 */
export type Answered<V> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : V extends object
      ? { readonly [K in keyof V]: Answered<Exclude<V[K], undefined>> }
      : V;
