/** The object that a mutating webhook changes. */

import type { ApiObject } from '@listwatch/api';

type Scalar = bigint | boolean | number | string | null | undefined;

/** Writable on every level. */
export type Mutable<V> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? Mutable<Item>[]
    : V extends object
      ? { -readonly [K in keyof V]: Mutable<V[K]> }
      : V;

/** A copy of the object, to be changed in place. An object with a `generateName` has no name yet. */
export type Draft<T extends ApiObject> = Mutable<Omit<T, 'metadata'>> & {
  metadata: Mutable<Omit<T['metadata'], 'name'>> & { name?: string };
};
