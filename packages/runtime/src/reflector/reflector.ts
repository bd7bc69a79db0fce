/** Applies the outputs of a watcher to a store, and returns what that changed. */

import type { ApiObject, ObjectEvent, ResourceVersion } from '@listwatch/api';
import { keyOf } from '../store/compact-object.ts';
import type { StoreWriter } from '../store/store-writer.ts';
import type { WatcherOutput } from '../watcher/watcher-state.ts';
import { lazyAdd, lazyDelete, lazyUpdate, readNow } from './lazy-change.ts';
import { addChange, deleteChange, type StoreChange, updateChange } from './store-change.ts';

export interface ReflectorOptions<T extends ApiObject> {
  /** The namespace that this reflector fills; `''` for all. A relist deletes only there. */
  readonly source: string;
  /** Runs once on each object, before anything of it is kept. Must leave name, namespace, uid and version. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Does anybody read changes? If not, none are made. Default: yes. */
  readonly isFollowed?: (() => boolean) | undefined;
  /** The transform threw; the object is kept as it came, for a cache must not lack what exists. */
  readonly onTransformError?: ((error: unknown, key: string) => void) | undefined;
}

const NOTHING: readonly never[] = [];

/** A list that has begun. */
interface Relist {
  /** Keys of objects that the store has in this version. */
  readonly same: Set<string>;
  /** The other objects of the list, in the form that the store keeps them in: a compact store gathers a list as bytes. */
  readonly changed: Map<string, ApiObject>;
  /** The server may have given an object's version to another state of it. */
  readonly otherHistory: boolean;
}

function newRelist(otherHistory: boolean): Relist {
  return { same: new Set(), changed: new Map(), otherHistory };
}

/**
 * Readers see the old state until a list is complete, and the new one afterwards. Of a relist only the objects that differ are
 * held, so that the peak stays near the size of the cache.
 */
export class Reflector<T extends ApiObject> {
  readonly #writer: StoreWriter<T>;
  readonly #options: ReflectorOptions<T>;
  readonly #isFollowed: () => boolean;
  #relist: Relist | undefined;
  #filled = false;

  constructor(writer: StoreWriter<T>, options: ReflectorOptions<T>) {
    this.#writer = writer;
    this.#options = options;
    this.#isFollowed = options.isFollowed ?? (() => true);
  }

  /** Fills the store from a checkpoint, whose objects have been transformed already. */
  restore(objects: Iterable<T>, version: ResourceVersion): void {
    for (const object of objects) this.#writer.put(keyOf(object), this.#writer.pack(object));
    this.#writer.version.set(this.#options.source, version);
    this.#filled = true;
  }

  /** Changes the store, then returns the changes for handlers and streams. */
  apply(output: WatcherOutput<T>): readonly StoreChange<T>[] {
    switch (output.type) {
      case 'init':
        this.#relist = newRelist(output.otherHistory === true);
        return NOTHING;
      case 'initApply':
        this.#collect([output.object]);
        return NOTHING;
      case 'initBatch':
        this.#collect(output.objects);
        return NOTHING;
      case 'initDone':
        return this.#replace(output.resourceVersion);
      case 'changes':
        return this.#follow(output.events);
      case 'delete':
        return this.#remove(output.key, output.object);
      case 'bookmark':
        this.#writer.version.advance(this.#options.source, output.resourceVersion);
        return NOTHING;
      case 'error':
        // A list that was under way starts over.
        this.#relist = undefined;
        return NOTHING;
      case 'steady':
        return NOTHING;
    }
  }

  #collect(objects: readonly T[]): void {
    const { same, changed, otherHistory } = (this.#relist ??= newRelist(false));
    // An empty store needs no comparison. Its own loop, because it dominates the cost of a first list.
    if (this.#writer.isEmpty) return this.#collectAll(objects, changed);
    for (const object of objects) {
      const key = keyOf(object);
      const isSame = this.#isSame(key, object);
      const kept = isSame && !otherHistory ? undefined : this.#prepare(key, object);
      if (kept === undefined || (isSame && this.#isEqual(key, kept))) {
        same.add(key);
        changed.delete(key);
      } else {
        changed.set(key, kept);
        same.delete(key);
      }
    }
  }

  #collectAll(objects: readonly T[], changed: Map<string, ApiObject>): void {
    const writer = this.#writer;
    if (this.#options.transform === undefined)
      return objects.forEach((object) => changed.set(keyOf(object), writer.pack(object)));
    objects.forEach((object) => {
      const key = keyOf(object);
      changed.set(key, this.#prepare(key, object));
    });
  }

  #replace(version: ResourceVersion): readonly StoreChange<T>[] {
    const { same, changed } = this.#relist ?? newRelist(false);
    this.#relist = undefined;
    const changes = this.#writer.isEmpty ? this.#fill(changed) : this.#renew(same, changed);
    this.#filled = true;
    this.#writer.version.set(this.#options.source, version);
    return changes;
  }

  #fill(objects: Map<string, ApiObject>): readonly StoreChange<T>[] {
    const initial = !this.#filled;
    const adds = this.#isFollowed() ? Array.from(objects, ([key, kept]) => this.#added(key, kept, initial)) : NOTHING;
    this.#writer.load(objects);
    return adds;
  }

  #renew(same: ReadonlySet<string>, changed: ReadonlyMap<string, ApiObject>): readonly StoreChange<T>[] {
    const deletes: StoreChange<T>[] = [];
    const isFollowed = this.#isFollowed();
    for (const key of this.#writer.keysOf(this.#options.source)) {
      if (same.has(key) || changed.has(key)) continue;
      const old = this.#writer.remove(key);
      if (old !== undefined && isFollowed) deletes.push(this.#missed(key, old));
    }
    const puts: StoreChange<T>[] = [];
    for (const [key, kept] of changed) this.#write(key, kept, !this.#filled, isFollowed ? puts : undefined);
    return [...deletes, ...puts];
  }

  /** Advances the version last, so that whoever waits for it finds all events of the batch in the store. */
  #follow(events: readonly ObjectEvent<T>[]): readonly StoreChange<T>[] {
    const changes: StoreChange<T>[] = [];
    const isFollowed = this.#isFollowed();
    for (const { type, object } of events) {
      const key = keyOf(object);
      if (type === 'DELETED') changes.push(...this.#remove(key, object));
      else if (!this.#isSame(key, object))
        this.#write(key, this.#prepare(key, object), false, isFollowed ? changes : undefined);
    }
    this.#writer.version.advance(this.#options.source, events.at(-1)?.object.metadata.resourceVersion);
    // Now: bytes that have left the store would keep many others alive until the slowest reader has come to them.
    if (!this.#writer.keepsObjects) for (const change of changes) readNow(change);
    return changes;
  }

  #remove(key: string, object: T | undefined): readonly StoreChange<T>[] {
    this.#relist?.changed.delete(key);
    this.#relist?.same.delete(key);
    const old = this.#writer.remove(key);
    // It was never reported, so its delete is not either.
    if (old === undefined || !this.#isFollowed()) return NOTHING;
    // The deleted object may be a later one of the same name, created and deleted while a list was under way.
    if (object === undefined || isAnother(old, object)) return [this.#missed(key, old)];
    return [deleteChange(key, this.#writer.tell(this.#prepare(key, object)), true)];
  }

  #write(key: string, kept: ApiObject, initial: boolean, changes: StoreChange<T>[] | undefined): void {
    const old = this.#writer.put(key, kept);
    if (changes === undefined) return;
    if (old === undefined) changes.push(this.#added(key, kept, initial));
    // Deleted and created again unseen: reported as an update, its delete would be lost.
    else if (isAnother(old, kept)) changes.push(this.#missed(key, old), this.#added(key, kept, false));
    else changes.push(this.#updated(key, old, kept));
  }

  #added(key: string, kept: ApiObject, initial: boolean): StoreChange<T> {
    const writer = this.#writer;
    return writer.keepsObjects
      ? addChange(key, writer.tell(kept), initial)
      : lazyAdd(key, () => writer.tell(kept), initial);
  }

  #updated(key: string, old: ApiObject, kept: ApiObject): StoreChange<T> {
    const writer = this.#writer;
    return writer.keepsObjects
      ? updateChange(key, writer.tell(old), writer.tell(kept))
      : lazyUpdate(
          key,
          () => writer.tell(old),
          () => writer.tell(kept),
        );
  }

  #missed(key: string, old: ApiObject): StoreChange<T> {
    const writer = this.#writer;
    return writer.keepsObjects ? deleteChange(key, writer.tell(old), false) : lazyDelete(key, () => writer.tell(old));
  }

  #isSame(key: string, object: T): boolean {
    const known = this.#writer.known(key);
    // The decoder of a compact store returns what is kept when it is the same.
    if (known === undefined || known === object) return known !== undefined;
    const { resourceVersion } = object.metadata;
    if (resourceVersion === undefined || resourceVersion !== this.#writer.versionOf(key)) return false;
    // A version alone does not tell: a server that was restored or made anew gives the same ones again.
    return !isAnother(known, object);
  }

  /** Has the store this content? Members in another order count as a difference: it costs one update. */
  #isEqual(key: string, kept: ApiObject): boolean {
    const known = this.#writer.known(key);
    if (known === undefined || known === kept) return known === kept;
    return JSON.stringify(this.#writer.peek(known)) === JSON.stringify(this.#writer.peek(kept));
  }

  #prepare(key: string, object: T): ApiObject {
    const { transform, onTransformError } = this.#options;
    let result = object;
    try {
      result = transform?.(object) ?? object;
    } catch (error) {
      onTransformError?.(error, key);
    }
    return this.#writer.pack(result);
  }
}

/** Are these two different objects of the same name? */
function isAnother({ metadata: { uid: was } }: ApiObject, { metadata: { uid: is } }: ApiObject): boolean {
  return was !== is && was !== undefined && is !== undefined;
}
