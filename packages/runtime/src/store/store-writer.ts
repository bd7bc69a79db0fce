/** The writing end of a store. There is one, and it is synchronous: a reader never sees half of a change. */

import type { AbortOptions, ApiObject, ResourceVersion } from '@listwatch/api';
import type { ObjectKeeper } from './object-keeper.ts';
import { objectKey } from './object-key.ts';
import type { Store, StoreKey } from './store.ts';
import { type IndexErrorSink, type IndexFunction, NAMESPACE_INDEX } from './store-index.ts';
import { StoreIndexes } from './store-indexes.ts';
import { VersionMark } from './version-mark.ts';

/** A store that also tells every object to readers of changes. */
export interface ToldStore<T extends ApiObject> extends Store<T> {
  /** As `get`, for one change of many. */
  told(key: string): T | undefined;
}

export class StoreWriter<T extends ApiObject, K extends ApiObject = ApiObject> {
  readonly version: VersionMark;
  readonly #keeper: ObjectKeeper<T, K>;
  readonly #reader: StoreReader<T, K>;
  readonly #indexes: StoreIndexes<T, K>;

  constructor(keeper: ObjectKeeper<T, K>, sources: readonly string[] = [''], onIndexError?: IndexErrorSink) {
    this.#keeper = keeper;
    this.version = new VersionMark(sources);
    this.#indexes = new StoreIndexes(keeper, onIndexError);
    this.#reader = new StoreReader(keeper, this.#indexes, this.version);
  }

  /** The reading end. */
  get store(): ToldStore<T> {
    return this.#reader;
  }

  get isEmpty(): boolean {
    return this.#objects.size === 0;
  }

  /** True when objects are kept as they are, so that `tell` and `peek` parse nothing. */
  get keepsObjects(): boolean {
    return this.#keeper.keepsObjects;
  }

  /** The keys of what a source has filled in: all of them when it is the only one. */
  keysOf(source: string): readonly string[] {
    return this.version.sources.size === 1
      ? [...this.#objects.keys()]
      : this.store.keysByIndex(NAMESPACE_INDEX, source);
  }

  /** The version of the object under `key`; `undefined` when there is none. */
  versionOf(key: string): string | undefined {
    const kept = this.#objects.get(key);
    return kept === undefined ? undefined : this.#keeper.versionOf(kept);
  }

  /** What is kept under `key`. */
  known(key: string): K | undefined {
    return this.#objects.get(key);
  }

  /** Brings an object into the form that it will be kept in. It is not in the store yet. */
  pack(object: T): K {
    return this.#keeper.pack(object);
  }

  /** The object for a change that readers are told of. */
  tell(kept: K): T {
    return this.#keeper.tell(kept);
  }

  /** The object to look at. */
  peek(kept: K): T {
    return this.#keeper.peek(kept);
  }

  /** Puts a list into an empty store. The map becomes the store's own: the caller must not use it any more. */
  load(objects: Map<string, K>): void {
    if (!this.isEmpty) throw new RangeError('only an empty store can be loaded');
    if (!this.#indexes.isEmpty) for (const [key, kept] of objects) this.#indexes.move(key, undefined, kept);
    if (!this.keepsObjects) for (const kept of objects.values()) this.#keeper.adopt(kept);
    this.#reader.objects = objects;
  }

  /** Returns what was kept under `key` before. */
  put(key: string, kept: K): K | undefined {
    const before = this.#objects.get(key);
    // A list may bring what is kept already.
    if (before === kept) return before;
    this.#indexes.move(key, before, kept);
    this.#keeper.adopt(kept);
    this.#objects.set(key, kept);
    if (before !== undefined) this.#drop(before);
    return before;
  }

  /** Returns what was kept under `key`. */
  remove(key: string): K | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    this.#indexes.move(key, before, undefined);
    this.#objects.delete(key);
    this.#drop(before);
    return before;
  }

  /** The JSON of what is in the store now, for writing it down later: it does not change any more. */
  snapshot(): { readonly size: number; readonly objects: Iterable<Uint8Array | string> } {
    const all = [...this.#objects.values()];
    return { size: all.length, objects: jsonOf(all, this.#keeper) };
  }

  get #objects(): Map<string, K> {
    return this.#reader.objects;
  }

  #drop(kept: K): void {
    this.#keeper.drop(kept);
    this.#keeper.tidy(() => this.#objects.values());
  }
}

function* jsonOf<T extends ApiObject, K extends ApiObject>(
  all: Iterable<K>,
  keeper: ObjectKeeper<T, K>,
): Iterable<Uint8Array | string> {
  for (const kept of all) yield keeper.json(kept);
}

class StoreReader<T extends ApiObject, K extends ApiObject> implements ToldStore<T> {
  /** For the writer alone, which replaces the map when it loads an empty store. */
  objects = new Map<string, K>();
  readonly #keeper: ObjectKeeper<T, K>;
  readonly #indexes: StoreIndexes<T, K>;
  readonly #version: VersionMark;

  constructor(keeper: ObjectKeeper<T, K>, indexes: StoreIndexes<T, K>, version: VersionMark) {
    this.#keeper = keeper;
    this.#indexes = indexes;
    this.#version = version;
  }

  get size(): number {
    return this.objects.size;
  }

  get resourceVersion(): ResourceVersion | undefined {
    return this.#version.current;
  }

  get(key: StoreKey): T | undefined {
    const kept = this.objects.get(keyText(key));
    return kept === undefined ? undefined : this.#keeper.read(kept);
  }

  told(key: string): T | undefined {
    const kept = this.objects.get(key);
    return kept === undefined ? undefined : this.#keeper.tell(kept);
  }

  has(key: StoreKey): boolean {
    return this.objects.has(keyText(key));
  }

  list({ namespace }: { readonly namespace?: string | undefined } = {}): readonly T[] {
    return namespace === undefined ? [...this.values()] : this.byIndex(NAMESPACE_INDEX, namespace);
  }

  *values(): IterableIterator<T> {
    for (const kept of this.objects.values()) yield this.#keeper.read(kept);
  }

  keys(): IterableIterator<string> {
    return this.objects.keys();
  }

  byIndex(name: string, value: string): readonly T[] {
    const found: T[] = [];
    for (const key of this.#indexes.find(name, this.objects).keys(value)) {
      const kept = this.objects.get(key);
      if (kept !== undefined) found.push(this.#keeper.read(kept));
    }
    return found;
  }

  keysByIndex(name: string, value: string): readonly string[] {
    return [...this.#indexes.find(name, this.objects).keys(value)].toSorted();
  }

  indexValues(name: string): readonly string[] {
    return [...this.#indexes.find(name, this.objects).values];
  }

  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.#indexes.add(name, valuesOf, this.objects);
  }

  waitFor(resourceVersion: string, options?: AbortOptions): Promise<void> {
    return this.#version.waitFor(resourceVersion, options);
  }
}

function keyText(key: StoreKey): string {
  return typeof key === 'string'
    ? key
    : objectKey({
        metadata: key.namespace === undefined ? { name: key.name } : { name: key.name, namespace: key.namespace },
      });
}
