/** A cache of a collection, for reading. An informer or a reflector writes it. */

import type { AbortOptions, ApiObject, ResourceVersion } from '@listwatch/api';
import type { IndexFunction, NAMESPACE_INDEX } from './store-index.ts';

/** Which object: its key, or its name and namespace. */
export type StoreKey = string | { readonly namespace?: string | undefined; readonly name: string };

/**
 * Objects are shared by all readers: treat them as read-only (they are frozen, in production when they are read first). With `compact` each read
 * gives a new one.
 *
 * `Index` are the names of the indexes that the options of its informer declare, so that a misspelt one does not compile.
 * Without them any name does.
 */
export interface Store<T extends ApiObject = ApiObject, Index extends string = string> {
  readonly size: number;
  /** Everything up to this version is in here; `undefined` before the first list. */
  readonly resourceVersion: ResourceVersion | undefined;
  get(key: StoreKey): T | undefined;
  has(key: StoreKey): boolean;
  /** In no order. With `compact`, prefer `values`, which holds one object at a time. */
  list(options?: { readonly namespace?: string | undefined }): readonly T[];
  /** In no order; do not write to the cluster and wait while you iterate. */
  values(): IterableIterator<T>;
  keys(): IterableIterator<string>;
  /** The objects with this value. `namespace` is an index of every store. Throws a RangeError for an unknown index. */
  byIndex(name: Index | typeof NAMESPACE_INDEX, value: string): readonly T[];
  /** The keys with this value, sorted. */
  keysByIndex(name: Index | typeof NAMESPACE_INDEX, value: string): readonly string[];
  /** The values that some object has. */
  indexValues(name: Index | typeof NAMESPACE_INDEX): readonly string[];
  /** Adds an index over what is here and what comes. Throws a TypeError when there is another of that name. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void;
  /**
   * Resolves once everything up to this version is in the store: pass the version that a write of yours was answered with,
   * and what you read afterwards includes it.
   */
  waitFor(resourceVersion: string, options?: AbortOptions): Promise<void>;
}
