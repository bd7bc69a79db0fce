/** The writing end of a store. There is one, and it is synchronous: a reader never sees half of a change. */

import type { AbortOptions, ApiObject, ResourceVersion } from '@listwatch/api';
import type { ObjectKeeper } from './object-keeper.ts';
import { objectKey } from './object-key.ts';
import type { Store, StoreKey } from './store.ts';
import { type IndexErrorSink, type IndexFunction, NAMESPACE_INDEX, namespaceOf, StoreIndex } from './store-index.ts';
import { VersionMark } from './version-mark.ts';

/** What is written before and after. */
export interface Written<T extends ApiObject> {
  readonly old: T | undefined;
  readonly object: T;
}

export class StoreWriter<T extends ApiObject, K = unknown> {
  readonly version: VersionMark;
  readonly #keeper: ObjectKeeper<T, K>;
  readonly #reader: StoreReader<T, K>;
  readonly #indexes = new Map<string, StoreIndex<T>>();

  constructor(keeper: ObjectKeeper<T, K>, sources: readonly string[] = [''], onIndexError?: IndexErrorSink) {
    this.#keeper = keeper;
    this.version = new VersionMark(sources);
    this.#reader = new StoreReader(keeper, this.#indexes, this.version, onIndexError);
  }

  /** The reading end. */
  get store(): Store<T> {
    return this.#reader;
  }

  get isEmpty(): boolean {
    return this.#objects.size === 0;
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

  /** The uid of the object under `key`; `undefined` when there is none. */
  uidOf(key: string): string | undefined {
    const kept = this.#objects.get(key);
    return kept === undefined ? undefined : this.#keeper.uidOf(kept);
  }

  /** Puts what a list had into an empty store. The map may become the store's own: it is not the caller's any more. */
  load(objects: Map<string, T>): void {
    if (!this.isEmpty) throw new RangeError('only an empty store can be loaded');
    for (const index of this.#indexes.values()) {
      for (const [key, object] of objects) index.move(key, undefined, object);
    }
    this.#reader.objects = this.#keeper.keepAll(objects);
  }

  put(key: string, object: T): Written<T> {
    const before = this.#objects.get(key);
    const old = before === undefined ? undefined : this.#keeper.read(before);
    const kept = this.#keeper.keep(object);
    for (const index of this.#indexes.values()) index.move(key, old, object);
    this.#objects.set(key, kept);
    if (before !== undefined) this.#drop(before);
    return { old, object };
  }

  /** The object that was there. */
  remove(key: string): T | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    const old = this.#keeper.read(before);
    for (const index of this.#indexes.values()) index.move(key, old, undefined);
    this.#objects.delete(key);
    this.#drop(before);
    return old;
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

function* jsonOf<T extends ApiObject, K>(all: Iterable<K>, keeper: ObjectKeeper<T, K>): Iterable<Uint8Array | string> {
  for (const kept of all) yield keeper.json(kept);
}

class StoreReader<T extends ApiObject, K> implements Store<T> {
  /** For the writer alone, who loads a map that is ready into an empty store. */
  objects = new Map<string, K>();
  readonly #keeper: ObjectKeeper<T, K>;
  readonly #indexes: Map<string, StoreIndex<T>>;
  readonly #version: VersionMark;
  readonly #onIndexError: IndexErrorSink | undefined;

  constructor(
    keeper: ObjectKeeper<T, K>,
    indexes: Map<string, StoreIndex<T>>,
    version: VersionMark,
    onIndexError: IndexErrorSink | undefined,
  ) {
    this.#keeper = keeper;
    this.#indexes = indexes;
    this.#version = version;
    this.#onIndexError = onIndexError;
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
    for (const key of this.#index(name).keys(value)) {
      const kept = this.objects.get(key);
      if (kept !== undefined) found.push(this.#keeper.read(kept));
    }
    return found;
  }

  keysByIndex(name: string, value: string): readonly string[] {
    return [...this.#index(name).keys(value)].toSorted();
  }

  indexValues(name: string): readonly string[] {
    return [...this.#index(name).values];
  }

  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const before = this.#indexes.get(name);
    if (before?.valuesOf === valuesOf) return;
    const isTaken = before !== undefined || (name === NAMESPACE_INDEX && valuesOf !== namespaceOf);
    if (isTaken) throw new TypeError(`there is another index named ${JSON.stringify(name)}`);
    const index = new StoreIndex(name, valuesOf, this.#onIndexError);
    for (const [key, kept] of this.objects) index.move(key, undefined, this.#keeper.read(kept));
    this.#indexes.set(name, index);
  }

  waitFor(resourceVersion: string, options?: AbortOptions): Promise<void> {
    return this.#version.waitFor(resourceVersion, options);
  }

  #index(name: string): StoreIndex<T> {
    // Made when it is asked for: most caches are never asked, and it is touched for every object that comes.
    if (name === NAMESPACE_INDEX) this.addIndex(NAMESPACE_INDEX, namespaceOf);
    const index = this.#indexes.get(name);
    if (index !== undefined) return index;
    const names = new Set([NAMESPACE_INDEX, ...this.#indexes.keys()]);
    throw new RangeError(`no index named ${JSON.stringify(name)}; there are ${[...names].join(', ')}`);
  }
}

function keyText(key: StoreKey): string {
  return typeof key === 'string'
    ? key
    : objectKey({
        metadata: key.namespace === undefined ? { name: key.name } : { name: key.name, namespace: key.namespace },
      });
}
