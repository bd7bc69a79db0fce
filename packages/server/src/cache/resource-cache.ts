/** One kind in memory: its objects, its newest changes, and those who watch them. */

import { cacheInitializing, cacheStopped } from '@listwatch/api';
import type { Clock, Entry, StorageEvent } from '@listwatch/storage';
import { ObjectLayout } from '../kinds/object-layout.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { storageRoot } from '../kinds/resource-registry.ts';
import type { WrittenObjects } from '../kinds/written-objects.ts';
import { type CacheInput, type CacheState, newCacheState, stepCache } from './cache-state.ts';
import { type CachedObject, cacheObject } from './cached-object.ts';
import { ChangeWindow, type WindowOptions } from './change-window.ts';
import { ObjectIndex } from './object-index.ts';
import { type ObjectChange, type ObjectSnapshot, ObjectTree } from './object-tree.ts';
import { SnapshotShelf } from './snapshot-shelf.ts';
import type { WatchScope } from './watch-scope.ts';

/** Hears of every change, and of the end of a generation. */
export interface CacheListener {
  /** A change has been applied; more of the same batch may follow at once. */
  changed(change: ObjectChange): void;
  /** The batch is over: the cache is at this revision now. */
  settled(revision: bigint): void;
  /** The cache begins anew or has stopped: nothing that was opened goes on. */
  lost(): void;
}

/** Options of a {@link ResourceCache}. */
export interface ResourceCacheOptions {
  readonly definition: ResourceDefinition;
  readonly clock: Clock;
  readonly window?: WindowOptions | undefined;
  /** What the verbs of this server write. Default: everything is parsed. */
  readonly written?: WrittenObjects | undefined;
}

/** Written by the feed alone; read by everyone. All methods are synchronous: between two turns it is consistent. */
export class ResourceCache {
  readonly definition: ResourceDefinition;
  readonly layout: ObjectLayout;
  /** Keys of this kind begin with this. */
  readonly root: string;
  readonly #clock: Clock;
  readonly #windowOptions: WindowOptions | undefined;
  readonly #written: WrittenObjects | undefined;
  readonly #tree = new ObjectTree();
  readonly #shelf = new SnapshotShelf();
  readonly #index = new ObjectIndex();
  readonly #listeners = new Set<CacheListener>();
  #window: ChangeWindow;
  #revision = 0n;
  #state: CacheState;
  #current: ObjectSnapshot | undefined;

  constructor({ definition, clock, window, written }: ResourceCacheOptions) {
    this.definition = definition;
    const { group, version, kind } = definition.resource;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    this.layout = new ObjectLayout({ kind, apiVersion }, definition.convert);
    this.root = storageRoot(definition);
    this.#clock = clock;
    this.#windowOptions = window;
    this.#written = written;
    this.#window = new ChangeWindow(0n, window);
    this.#state = newCacheState(clock.now());
  }

  get state(): CacheState {
    return this.#state;
  }

  /** Everything up to this revision is in here. */
  get revision(): bigint {
    return this.#revision;
  }

  get window(): ChangeWindow {
    return this.#window;
  }

  get size(): number {
    return this.#tree.size;
  }

  get snapshots(): number {
    return this.#shelf.size;
  }

  /** The time, for ages in Tables. */
  now(): number {
    return this.#clock.now();
  }

  /** Throws the 429 that asks to come back later unless the cache may be read. */
  requireReady(): void {
    if (this.#state.type === 'ready') return;
    const downMs = this.#clock.now() - this.#state.since;
    if (this.#state.type === 'stopped') throw cacheStopped(downMs / 1000);
    throw cacheInitializing(downMs / 1000, this.#state.error);
  }

  get(key: string): CachedObject | undefined {
    return this.#tree.get(key);
  }

  /** The objects as they are now. Taken once a revision, however many ask. */
  snapshot(): ObjectSnapshot {
    if (this.#current?.revision !== this.#revision) this.#current = this.#tree.snapshot(this.#revision);
    return this.#current;
  }

  /**
   * The current objects that a scope may contain, in key order, and perhaps others; undefined: look at all of them. Good
   * for this turn only.
   */
  candidates(scope: WatchScope): readonly CachedObject[] | undefined {
    const { namespace, name } = scope;
    if (name === '' || (namespace === '' && this.definition.resource.namespaced)) {
      return this.#index.candidates(scope, this.snapshot());
    }
    const object = this.#tree.get(namespace === '' ? name : `${namespace}/${name}`);
    return object === undefined ? [] : [object];
  }

  /** The objects as `revision` left them, or undefined when that is not in memory any more. */
  snapshotAt(revision: bigint): ObjectSnapshot | undefined {
    return this.#shelf.at(revision, this.snapshot(), this.#window);
  }

  /** Keeps a snapshot for the pages that follow. */
  keepSnapshot(snapshot: ObjectSnapshot): void {
    this.#shelf.keep(snapshot);
  }

  listen(listener: CacheListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Fills the cache with the state at `revision`. */
  load(entries: readonly Entry[], revision: bigint): void {
    this.#tree.replace(entries.map((entry) => this.#cached(entry)));
    this.#shelf.clear();
    this.#index.clear();
    this.#current = undefined;
    this.#window = new ChangeWindow(revision, this.#windowOptions);
    this.#revision = revision;
    this.#step({ type: 'loaded' });
  }

  /** Applies one change; `settle` shows it. */
  apply(event: StorageEvent): void {
    const key = event.key.slice(this.root.length);
    const previous = this.#tree.get(key);
    const object = event.type === 'put' ? this.#put(event) : undefined;
    // The snapshot of before shares its nodes with the tree: from here on it is the past.
    this.#current = undefined;
    if (object === undefined) this.#tree.delete(key);
    else this.#tree.set(object);
    this.#index.change(previous, object);
    const change: ObjectChange = { key, revision: event.revision, object, previous };
    this.#window.append(change, this.#clock.now());
    for (const listener of this.#listeners) listener.changed(change);
  }

  /** Everything up to `revision` has been applied. */
  settle(revision: bigint): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    for (const listener of this.#listeners) listener.settled(revision);
  }

  /** Forgets every change and every snapshot of the past; watchers that have not come to the present end. */
  forgetChanges(): void {
    this.#window.clear(this.#revision);
    this.#shelf.clear();
  }

  /** Filling it failed and will be tried again. */
  failed(error: string): void {
    this.#step({ type: 'failed', error });
  }

  /** The store's changes cannot be followed any more: all watchers end, and the cache must be filled anew. */
  lose(error?: string): void {
    this.#step({ type: 'lost', error });
    for (const listener of this.#listeners) listener.lost();
  }

  stop(): void {
    this.#step({ type: 'stopped' });
    for (const listener of this.#listeners) listener.lost();
  }

  #step(input: CacheInput): void {
    this.#state = stepCache(this.#state, input, this.#clock.now());
  }

  #put({ key, value, revision }: Extract<StorageEvent, { readonly type: 'put' }>): CachedObject {
    const written = this.#written?.take(key, value);
    const own = written?.definition === this.definition ? written : undefined;
    return cacheObject(this.definition, this.layout, this.root, { key, value, modRevision: revision }, own);
  }

  #cached(entry: Entry): CachedObject {
    return cacheObject(this.definition, this.layout, this.root, entry);
  }
}
