/** One index of a store: which keys have which value. */

import type { ApiObject } from '@listwatch/api';

/** The values under which an object is found; none is fine. Must depend on the object alone. */
export type IndexFunction<T extends ApiObject> = (object: T) => readonly string[];

/** The index that every store has: by namespace. */
export const NAMESPACE_INDEX = 'namespace';

/** The values of `NAMESPACE_INDEX`. Objects of the cluster are in none. */
export function namespaceIndexValues({ metadata: { namespace } }: ApiObject): readonly string[] {
  return namespace === undefined || namespace === '' ? [] : [namespace];
}

/** Told, once for each index, that its function threw. */
export type IndexErrorSink = (index: string, key: string, error: unknown) => void;

export class StoreIndex<T extends ApiObject> {
  readonly name: string;
  readonly valuesOf: IndexFunction<T>;
  readonly #onError: IndexErrorSink;
  readonly #keys = new Map<string, Set<string>>();
  #failed = false;

  constructor(name: string, valuesOf: IndexFunction<T>, onError: IndexErrorSink = () => {}) {
    this.name = name;
    this.valuesOf = valuesOf;
    this.#onError = onError;
  }

  get values(): IterableIterator<string> {
    return this.#keys.keys();
  }

  keys(value: string): ReadonlySet<string> {
    return this.#keys.get(value) ?? NONE;
  }

  /** The object under `key` was `old` and is `object`. */
  move(key: string, old: T | undefined, object: T | undefined): void {
    const before = old === undefined ? NO_VALUES : this.#valuesOf(key, old);
    const after = object === undefined ? NO_VALUES : this.#valuesOf(key, object);
    if (before.length === 1 && after.length === 1 && before[0] === after[0]) return;
    for (const value of before) this.#remove(value, key);
    for (const value of after) this.#add(value, key);
  }

  /** An object that the function cannot take has no values: a mistake in an index must not end the cache. */
  #valuesOf(key: string, object: T): readonly string[] {
    try {
      return this.valuesOf(object);
    } catch (error) {
      if (!this.#failed) this.#onError(this.name, key, error);
      this.#failed = true;
      return NO_VALUES;
    }
  }

  #add(value: string, key: string): void {
    const keys = this.#keys.get(value);
    if (keys === undefined) this.#keys.set(value, new Set([key]));
    else keys.add(key);
  }

  #remove(value: string, key: string): void {
    const keys = this.#keys.get(value);
    if (keys === undefined) return;
    keys.delete(key);
    // An index by job or by pod would else keep every value it ever had.
    if (keys.size === 0) this.#keys.delete(value);
  }
}

const NO_VALUES: readonly string[] = [];
const NONE: ReadonlySet<string> = new Set();
