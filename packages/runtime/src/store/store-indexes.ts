/** The indexes of a store. */

import type { ApiObject } from '@listwatch/api';
import type { ObjectKeeper } from './object-keeper.ts';
import {
  type IndexErrorSink,
  type IndexFunction,
  NAMESPACE_INDEX,
  namespaceIndexValues,
  StoreIndex,
} from './store-index.ts';

/** An index, for reading. */
type IndexReader = Pick<StoreIndex<ApiObject>, 'keys' | 'values'>;

/** Objects that are kept as bytes are parsed for the user's own indexes; the index by namespace needs their identity alone. */
export class StoreIndexes<T extends ApiObject, K extends ApiObject> {
  readonly #keeper: Pick<ObjectKeeper<T, K>, 'peek'>;
  readonly #onError: IndexErrorSink | undefined;
  readonly #own = new Map<string, StoreIndex<T>>();
  /** Made when somebody asks for it: most stores are never asked, and every change would have to be noted. */
  #namespaces: StoreIndex<ApiObject> | undefined;

  constructor(keeper: Pick<ObjectKeeper<T, K>, 'peek'>, onError: IndexErrorSink | undefined) {
    this.#keeper = keeper;
    this.#onError = onError;
  }

  /** Adds an index over these objects. Throws a TypeError when there is another of that name. */
  add(name: string, valuesOf: IndexFunction<T>, objects: ReadonlyMap<string, K>): void {
    const before = this.#own.get(name);
    if (before?.valuesOf === valuesOf) return;
    if (before !== undefined || name === NAMESPACE_INDEX)
      throw new TypeError(`there is another index named ${JSON.stringify(name)}`);
    const index = new StoreIndex(name, valuesOf, this.#onError);
    for (const [key, kept] of objects) index.move(key, undefined, this.#keeper.peek(kept));
    this.#own.set(name, index);
  }

  /** Finds an index. Throws a RangeError when there is none of that name. */
  find(name: string, objects: ReadonlyMap<string, K>): IndexReader {
    const index = name === NAMESPACE_INDEX ? this.#byNamespace(objects) : this.#own.get(name);
    if (index !== undefined) return index;
    const names = [NAMESPACE_INDEX, ...this.#own.keys()].join(', ');
    throw new RangeError(`no index named ${JSON.stringify(name)}; there are ${names}`);
  }

  /** What is kept under `key` was `before` and is `after`. */
  move(key: string, before: K | undefined, after: K | undefined): void {
    this.#namespaces?.move(key, before, after);
    if (this.#own.size === 0) return;
    const old = before === undefined ? undefined : this.#keeper.peek(before);
    const object = after === undefined ? undefined : this.#keeper.peek(after);
    for (const index of this.#own.values()) index.move(key, old, object);
  }

  /** True when `move` would do nothing. */
  get isEmpty(): boolean {
    return this.#namespaces === undefined && this.#own.size === 0;
  }

  #byNamespace(objects: ReadonlyMap<string, K>): StoreIndex<ApiObject> {
    if (this.#namespaces !== undefined) return this.#namespaces;
    const index = new StoreIndex<ApiObject>(NAMESPACE_INDEX, namespaceIndexValues, this.#onError);
    for (const [key, kept] of objects) index.move(key, undefined, kept);
    this.#namespaces = index;
    return index;
  }
}
