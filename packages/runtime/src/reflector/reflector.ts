/** Applies the outputs of a watcher to a store, and returns what that changed. */

import type { ApiObject, ObjectEvent, ResourceVersion } from '@listwatch/api';
import { deepFreeze } from '../store/deep-freeze.ts';
import { objectKey } from '../store/object-key.ts';
import type { StoreWriter } from '../store/store-writer.ts';
import type { WatcherOutput } from '../watcher/watcher-state.ts';
import { addChange, deleteChange, type StoreChange, updateChange } from './store-change.ts';

export interface ReflectorOptions<T extends ApiObject> {
  /** The namespace that this reflector fills; `''` for all. A relist deletes only there. */
  readonly source: string;
  /** Runs once on each object, before anything of it is kept. Must leave name, namespace, uid and version. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Freeze objects before they are handed out? */
  readonly freeze?: boolean | undefined;
  /** Does anybody read changes? If not, a first list makes none. Default: yes. */
  readonly isFollowed?: (() => boolean) | undefined;
  /** The transform threw; the object is kept as it came, for a cache must not lack what exists. */
  readonly onTransformError?: ((error: unknown, key: string) => void) | undefined;
}

const NOTHING: readonly never[] = [];

/** A list that has begun. */
interface Relist<T> {
  /** Keys of objects that the store has in this version. */
  readonly same: Set<string>;
  /** The other objects of the list. */
  readonly changed: Map<string, T>;
  /** The server may have given an object's version to another state of it. */
  readonly otherHistory: boolean;
}

function newRelist<T>(otherHistory: boolean): Relist<T> {
  return { same: new Set(), changed: new Map(), otherHistory };
}

/**
 * Readers see the old state until a list is complete, and the new one afterwards. Of a relist only the objects that differ are
 * held, so that the peak stays near the size of the cache.
 */
export class Reflector<T extends ApiObject> {
  readonly #writer: StoreWriter<T>;
  readonly #options: ReflectorOptions<T>;
  /** Objects need neither transform nor freezing. */
  readonly #asIs: boolean;
  #relist: Relist<T> | undefined;
  #filled = false;

  constructor(writer: StoreWriter<T>, options: ReflectorOptions<T>) {
    this.#writer = writer;
    this.#options = options;
    this.#asIs = options.transform === undefined && options.freeze !== true;
  }

  /** Fills the store from a checkpoint, whose objects have been transformed already. */
  restore(objects: Iterable<T>, version: ResourceVersion): void {
    for (const object of objects) this.#writer.put(objectKey(object), object);
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
      const key = objectKey(object);
      const isSame = this.#isSame(key, object);
      const prepared = isSame && !otherHistory ? object : this.#prepare(key, object);
      if (isSame && (!otherHistory || isEqual(this.#writer.store.get(key), prepared))) {
        same.add(key);
        changed.delete(key);
      } else {
        changed.set(key, prepared);
        same.delete(key);
      }
    }
  }

  #collectAll(objects: readonly T[], changed: Map<string, T>): void {
    if (this.#asIs) return objects.forEach((object) => changed.set(objectKey(object), object));
    objects.forEach((object) => {
      const key = objectKey(object);
      changed.set(key, this.#prepare(key, object));
    });
  }

  #replace(version: ResourceVersion): readonly StoreChange<T>[] {
    const { same, changed } = this.#relist ?? newRelist<T>(false);
    this.#relist = undefined;
    const changes = this.#writer.isEmpty ? this.#fill(changed) : this.#renew(same, changed);
    this.#filled = true;
    this.#writer.version.set(this.#options.source, version);
    return changes;
  }

  #fill(objects: Map<string, T>): readonly StoreChange<T>[] {
    const { isFollowed = () => true } = this.#options;
    const initial = !this.#filled;
    const adds = isFollowed() ? Array.from(objects, ([key, object]) => addChange(key, object, initial)) : NOTHING;
    this.#writer.load(objects);
    return adds;
  }

  #renew(same: ReadonlySet<string>, changed: ReadonlyMap<string, T>): readonly StoreChange<T>[] {
    const deletes: StoreChange<T>[] = [];
    for (const key of this.#writer.keysOf(this.#options.source)) {
      if (same.has(key) || changed.has(key)) continue;
      const old = this.#writer.remove(key);
      if (old !== undefined) deletes.push(deleteChange(key, old, false));
    }
    const puts: StoreChange<T>[] = [];
    for (const [key, object] of changed) this.#write(key, object, !this.#filled, puts);
    return [...deletes, ...puts];
  }

  /** Advances the version last, so that whoever waits for it finds all events of the batch in the store. */
  #follow(events: readonly ObjectEvent<T>[]): readonly StoreChange<T>[] {
    const changes: StoreChange<T>[] = [];
    for (const { type, object } of events) {
      const key = objectKey(object);
      if (type === 'DELETED') changes.push(...this.#remove(key, object));
      else if (!this.#isSame(key, object)) this.#write(key, this.#prepare(key, object), false, changes);
    }
    this.#writer.version.advance(this.#options.source, events.at(-1)?.object.metadata.resourceVersion);
    return changes;
  }

  #remove(key: string, object: T | undefined): readonly StoreChange<T>[] {
    this.#relist?.changed.delete(key);
    this.#relist?.same.delete(key);
    const old = this.#writer.remove(key);
    // It was never reported, so its delete is not either.
    if (old === undefined) return NOTHING;
    // The deleted object may be a later one of the same name, created and deleted while a list was under way.
    if (object === undefined || isAnother(old, object)) return [deleteChange(key, old, false)];
    return [deleteChange(key, this.#prepare(key, object), true)];
  }

  #write(key: string, object: T, initial: boolean, changes: StoreChange<T>[]): void {
    const { old } = this.#writer.put(key, object);
    if (old === undefined) changes.push(addChange(key, object, initial));
    // Deleted and created again unseen: reported as an update, its delete would be lost.
    else if (isAnother(old, object)) changes.push(deleteChange(key, old, false), addChange(key, object, false));
    else changes.push(updateChange(key, old, object));
  }

  #isSame(key: string, object: T): boolean {
    const { resourceVersion, uid } = object.metadata;
    if (resourceVersion === undefined || resourceVersion !== this.#writer.versionOf(key)) return false;
    // A version alone does not tell: a server that was restored or made anew gives the same ones again.
    return !isAnotherUid(this.#writer.uidOf(key), uid);
  }

  #prepare(key: string, object: T): T {
    const { transform, onTransformError, freeze = false } = this.#options;
    let result = object;
    try {
      result = transform?.(object) ?? object;
    } catch (error) {
      onTransformError?.(error, key);
    }
    return freeze ? deepFreeze(result) : result;
  }
}

/** A different order of members counts as a difference: it costs one update. */
function isEqual(old: ApiObject | undefined, object: ApiObject): boolean {
  return JSON.stringify(old) === JSON.stringify(object);
}

/** Are these two different objects of the same name? */
function isAnother(old: ApiObject, object: ApiObject): boolean {
  return isAnotherUid(old.metadata.uid, object.metadata.uid);
}

function isAnotherUid(old: string | undefined, uid: string | undefined): boolean {
  return old !== uid && old !== undefined && uid !== undefined;
}
