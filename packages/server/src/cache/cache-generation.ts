/** One generation of a kind's cache: everything that was read through one run of the feed. */

import { cacheInitializing } from '@listwatch/api';
import { extended } from '@listwatch/api/values';
import type { Clock, Entry, StorageEvent } from '@listwatch/storage';
import { justPause, LoopPace } from '../contract/pause.ts';
import type { ReadKind } from '../kinds/read-kind.ts';
import { servedMessage } from '../stored/object-message.ts';
import type { ReadLayout } from '../stored/read-layout.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import type { CacheBudgets } from './cache-budgets.ts';
import { type CachedObject, tryCacheObject } from './cached-object.ts';
import { ChangeWindow, type WindowOptions } from './change-window.ts';
import type { FeedProgress } from './feed-progress.ts';
import { MessageCache } from './message-cache.ts';
import { ObjectIndex } from './object-index.ts';
import { type ObjectChange, type ObjectSnapshot, ObjectTree } from './object-tree.ts';
import { SnapshotCache } from './snapshot-cache.ts';
import type { WatchScope } from './watch-scope.ts';

/** Hears of every change, and of the end of the generation. */
export interface GenerationListener {
  /** A change has been applied; more of the same batch may follow at once. */
  changed(change: ObjectChange): void;
  /** The batch is complete: the generation is at this revision now. */
  settled(revision: bigint): void;
  /** The generation has ended: whatever was opened on it must end too. */
  ended(): void;
}

/** How far the feed of a generation has come: see {@link FeedProgress}. */
export type GenerationProgress = Pick<FeedProgress, 'reached' | 'revision'>;

/** What a generation is made of. */
export interface GenerationParts {
  readonly definition: ReadKind;
  readonly layout: ReadLayout;
  /** The kind's keys begin with this. */
  readonly root: string;
  readonly clock: Clock;
  readonly budgets: CacheBudgets;
  readonly progress: GenerationProgress;
  readonly window?: WindowOptions | undefined;
  readonly written?: WrittenObjects | undefined;
  /** Told of a value that cannot be decoded. */
  readonly onUndecodable: (key: string, revision: bigint) => void;
  /** Told whether some object concerns the garbage collector: at the beginning, and when that changes. */
  readonly onOwned?: ((isOwned: boolean) => void) | undefined;
}

/**
 * Owns the objects, the window of changes and the snapshots of one run of the feed. It ends when the feed is lost and
 * never comes back: the next load makes another one. Whoever reads or watches holds a generation, so that it cannot mix
 * the state of two. All methods but `reached` are synchronous.
 */
export class CacheGeneration {
  readonly #parts: GenerationParts;
  readonly #tree = new ObjectTree();
  readonly #snapshots: SnapshotCache;
  readonly #messages: MessageCache;
  readonly #index = new ObjectIndex();
  readonly #window: ChangeWindow;
  readonly #listeners = new Set<GenerationListener>();
  /** Keys whose value cannot be decoded: they are left out of lists and watches. */
  readonly #undecodable = new Set<string>();
  /** Objects that concern the garbage collector, and the last revision at which one of them was written. */
  #owned = 0;
  #lastOwned = 0n;
  readonly #start: bigint;
  #revision: bigint;
  #bytes = 0;
  #isEnded = false;
  #current: ObjectSnapshot | undefined;

  /** Begins with nothing: `fill` it with the state at `revision`, and then say `filled`. */
  constructor(parts: GenerationParts, revision: bigint) {
    this.#parts = parts;
    this.#start = revision;
    this.#revision = revision;
    const { budgets, clock, window } = parts;
    this.#window = new ChangeWindow(revision, window, budgets.windows);
    this.#snapshots = new SnapshotCache(budgets.snapshots, clock);
    this.#messages = new MessageCache((json) => servedMessage(parts.definition, parts.layout, json), budgets.messages);
  }

  /** Adds a part of the state that the generation begins with. */
  fill(entries: Iterable<Entry>): void {
    for (const entry of entries) this.#add(entry);
  }

  /** The same in several turns of the event loop, by time: an object costs microseconds or, with thousands of labels, milliseconds. */
  async fillInTurns(entries: Iterable<Entry>): Promise<void> {
    const pace = new LoopPace(justPause);
    for (const entry of entries) {
      this.#add(entry);
      await pace.step();
    }
  }

  #add(entry: Entry): void {
    const object = this.#decode(entry);
    if (object === undefined) return;
    this.#tree.set(object);
    this.#bytes += object.bytes.length;
    if (!object.owned) return;
    this.#owned += 1;
    if (object.revision > this.#lastOwned) this.#lastOwned = object.revision;
  }

  /** The state is complete: changes may be applied. */
  filled(): void {
    this.#parts.onOwned?.(this.#owned > 0);
  }

  get layout(): ReadLayout {
    return this.#parts.layout;
  }

  /** Keys of its objects begin with this in the store. */
  get root(): string {
    return this.#parts.root;
  }

  /** True from the moment the feed was lost. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Every change up to this revision is in here. A kind that nobody changes is as far as the feed without being told. */
  get revision(): bigint {
    const { revision } = this.#parts.progress;
    return this.#isEnded || revision <= this.#revision ? this.#revision : revision;
  }

  /** The last revision at which an object that concerns the garbage collector was written; 0: none is here. */
  get lastOwned(): bigint {
    return this.#lastOwned;
  }

  get window(): ChangeWindow {
    return this.#window;
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Bytes of the objects as they are served. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many values cannot be decoded. */
  get undecodable(): number {
    return this.#undecodable.size;
  }

  /** Snapshots kept for the next pages of lists, and what only they keep alive. */
  get snapshots(): { readonly count: number; readonly bytes: number } {
    return { count: this.#snapshots.size, bytes: this.#snapshots.bytes };
  }

  /** Whether the value of a key, relative to the kind, cannot be decoded. */
  isUndecodable(key: string): boolean {
    return this.#undecodable.has(key);
  }

  /**
   * Resolves with true when this generation has reached `revision`, with false on a timeout. Throws the 429 when it ends
   * meanwhile, and the reason of `signal` when that is aborted.
   */
  async reached(revision: bigint, signal?: AbortSignal): Promise<boolean> {
    const reached = await this.#parts.progress.reached(revision, signal);
    this.requireCurrent();
    return reached;
  }

  /** Throws the 429 that asks clients to come back once the generation has ended. Call it after every await. */
  requireCurrent(): void {
    if (this.#isEnded) throw cacheInitializing(0);
  }

  /** The object in protobuf, as {@link MessageCache} keeps it. */
  message(object: CachedObject): Buffer {
    return this.#messages.of(object);
  }

  /** Lets `make` encode an object before `message` is called. */
  async prepareMessage(object: CachedObject, make: () => Promise<Buffer>): Promise<void> {
    await this.#messages.prepare(object, make);
  }

  get(key: string): CachedObject | undefined {
    return this.#tree.get(key);
  }

  /** The current objects. Made once for each revision, however many requests ask. */
  snapshot(): ObjectSnapshot {
    const { revision } = this;
    if (this.#current?.revision !== revision) this.#current = this.#tree.snapshot(revision);
    return this.#current;
  }

  /**
   * A superset of the current objects in a scope, in key order; undefined: look at all objects. Valid until the next
   * change.
   */
  candidates(scope: WatchScope): readonly CachedObject[] | undefined {
    const { namespace, name } = scope;
    if (name === '' || (namespace === '' && this.#parts.definition.resource.namespaced)) {
      return this.#index.candidates(scope, this.snapshot());
    }
    const object = this.#tree.get(namespace === '' ? name : `${namespace}/${name}`);
    return object === undefined ? [] : [object];
  }

  /** The objects at `revision`; undefined when neither a snapshot nor the window has them, or the generation has ended. */
  snapshotAt(revision: bigint): ObjectSnapshot | undefined {
    // `reached` and its caller are a microtask apart: the generation may have ended in between.
    if (this.#isEnded) return undefined;
    return this.#snapshots.at(revision, this.snapshot(), this.#window);
  }

  /** Keeps a current snapshot for the next pages. */
  keepSnapshot(snapshot: ObjectSnapshot): void {
    if (!this.#isEnded) this.#snapshots.keep(snapshot, this.#window);
  }

  /** Tells `listener` of every change until it stops listening or the generation ends. */
  listen(listener: GenerationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Applies one change; `settle` makes it visible as a revision. */
  apply(event: StorageEvent): void {
    // The state that the generation began with may be ahead of the feed.
    if (this.#isEnded || event.revision <= this.#start) return;
    const { root, clock } = this.#parts;
    const key = event.key.slice(root.length);
    const previous = this.#tree.get(key);
    // A value that cannot be decoded leaves the cache, as a deleted one does: lists and watches then agree.
    const object = event.type === 'put' ? this.#decode(extended(event, { modRevision: event.revision })) : undefined;
    if (event.type === 'delete') this.#undecodable.delete(key);
    if (object === undefined && previous === undefined) return;
    // The snapshot shares its nodes with the tree, which changes now.
    this.#current = undefined;
    if (object === undefined) this.#tree.delete(key);
    else this.#tree.set(object);
    this.#index.change(previous, object);
    this.#countOwned(previous, object);
    this.#bytes += (object?.bytes.length ?? 0) - (previous?.bytes.length ?? 0);
    const change: ObjectChange = { key, revision: event.revision, object, previous, lastState: undefined };
    this.#snapshots.changed(change);
    this.#window.append(change, clock.now());
    for (const listener of this.#listeners) listener.changed(change);
  }

  /** Every change up to `revision` has been applied. */
  settle(revision: bigint): void {
    if (this.#isEnded || revision <= this.#revision) return;
    this.#revision = revision;
    for (const listener of this.#listeners) listener.settled(revision);
  }

  /** Drops the window and the snapshots; watches that have not sent everything yet end. */
  forgetChanges(): void {
    this.#window.clear(this.revision);
    this.#snapshots.clear();
  }

  /** The feed is lost: every watch on this generation ends. */
  end(): void {
    if (this.#isEnded) return;
    this.#revision = this.revision;
    this.#isEnded = true;
    for (const listener of this.#listeners) listener.ended();
    this.#listeners.clear();
    this.#window.dispose();
    this.#snapshots.dispose();
    this.#messages.dispose();
  }

  /** Before the listeners: no watch may deliver an object with owners before its kind is known to have one. */
  #countOwned(previous: CachedObject | undefined, object: CachedObject | undefined): void {
    if (object?.owned === true) this.#lastOwned = object.revision;
    const change = Number(object?.owned === true) - Number(previous?.owned === true);
    if (change === 0) return;
    const before = this.#owned;
    this.#owned += change;
    if (before === 0 || this.#owned === 0) this.#parts.onOwned?.(this.#owned > 0);
  }

  #decode(entry: Entry): CachedObject | undefined {
    const { definition, layout, root, written, onUndecodable } = this.#parts;
    const known = written?.take(entry.key, entry.value);
    const own = known?.definition === definition ? known : undefined;
    const object = tryCacheObject(definition, layout, root, entry, own);
    const key = entry.key.slice(root.length);
    if (object !== undefined) this.#undecodable.delete(key);
    else {
      this.#undecodable.add(key);
      onUndecodable(entry.key, entry.modRevision);
    }
    return object;
  }
}
