/** One index of a store: which keys have which value. */

import type { ApiObject } from '@listwatch/api';

/** The values under which an object is found; none is fine. Must depend on the object alone. */
export type IndexFunction<T extends ApiObject> = (object: T) => readonly string[];

/** The index that every store has: by namespace. */
export const NAMESPACE_INDEX = 'namespace';

/** The values of `NAMESPACE_INDEX`. Objects of the cluster are in none. */
export function namespaceOf({ metadata: { namespace } }: ApiObject): readonly string[] {
  return namespace === undefined || namespace === '' ? [] : [namespace];
}

export class StoreIndex<T extends ApiObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly #keys = new Map<string, Set<string>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.valuesOf = valuesOf;
  }

  get values(): IterableIterator<string> {
    return this.#keys.keys();
  }

  keys(value: string): ReadonlySet<string> {
    return this.#keys.get(value) ?? NONE;
  }

  /** The object under `key` was `old` and is `object`. */
  move(key: string, old: T | undefined, object: T | undefined): void {
    const before = old === undefined ? [] : this.valuesOf(old);
    const after = object === undefined ? [] : this.valuesOf(object);
    if (before.length === 1 && after.length === 1 && before[0] === after[0]) return;
    for (const value of before) this.#remove(value, key);
    for (const value of after) this.#add(value, key);
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

const NONE: ReadonlySet<string> = new Set();
