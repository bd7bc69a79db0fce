/** Applies what a watcher says to a store, and says what that changed. */

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
  /** Make objects read-only for those who are told of them? */
  readonly freeze?: boolean | undefined;
  /** Is there anybody to tell of changes? While there is not, those of a first list are not made. Default: there is. */
  readonly isFollowed?: (() => boolean) | undefined;
  /** The transform threw; the object is kept as it came, for a cache must not lack what exists. */
  readonly onTransformError?: ((error: unknown, key: string) => void) | undefined;
}

const NOTHING: readonly never[] = [];

/** A list that has begun. */
interface Relist<T> {
  /** Objects that the store has in this very version. */
  readonly same: Set<string>;
  /** The others. */
  readonly changed: Map<string, T>;
}

/**
 * Readers see the old state until a list is whole, and the new one afterwards. Of a relist only the objects that differ are
 * held: the rest is garbage as soon as it is read, so that the peak stays near the size of the cache.
 */
export class Reflector<T extends ApiObject> {
  readonly #writer: StoreWriter<T>;
  readonly #options: ReflectorOptions<T>;
  /** Objects are kept as they come. */
  readonly #asIs: boolean;
  #relist: Relist<T> | undefined;
  #filled = false;

  constructor(writer: StoreWriter<T>, options: ReflectorOptions<T>) {
    this.#writer = writer;
    this.#options = options;
    this.#asIs = options.transform === undefined && options.freeze !== true;
  }

  /** Fills the store from a checkpoint, whose objects have been transformed before. */
  restore(objects: Iterable<T>, version: ResourceVersion): void {
    for (const object of objects) this.#writer.put(objectKey(object), object);
    this.#writer.version.set(this.#options.source, version);
    this.#filled = true;
  }

  /** The store has been changed by the time this returns; the changes are for those who follow it. */
  apply(output: WatcherOutput<T>): readonly StoreChange<T>[] {
    switch (output.type) {
      case 'init':
        this.#relist = { same: new Set(), changed: new Map() };
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
        // Whatever failed, a list that was under way begins anew.
        this.#relist = undefined;
        return NOTHING;
      case 'steady':
        return NOTHING;
    }
  }

  #collect(objects: readonly T[]): void {
    const { same, changed } = (this.#relist ??= { same: new Set(), changed: new Map() });
    // In an empty store there is nothing to compare with. Its own loop, for it is what a first list costs.
    if (this.#writer.isEmpty) return this.#collectAll(objects, changed);
    for (const object of objects) {
      const key = objectKey(object);
      if (this.#isSame(key, object)) {
        same.add(key);
        changed.delete(key);
      } else {
        changed.set(key, this.#prepare(key, object));
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
    const { same, changed } = this.#relist ?? { same: new Set(), changed: new Map<string, T>() };
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

  /** The version moves on when all of it is in the store: who waits for it reads what came with it. */
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
    // Nobody was told of it, so nobody needs to hear that it went.
    if (old === undefined) return NOTHING;
    // What went may be a later object of the same name, which came and went while a list was under way.
    if (object === undefined || isAnother(old, object)) return [deleteChange(key, old, false)];
    return [deleteChange(key, this.#prepare(key, object), true)];
  }

  #write(key: string, object: T, initial: boolean, changes: StoreChange<T>[]): void {
    const { old } = this.#writer.put(key, object);
    if (old === undefined) changes.push(addChange(key, object, initial));
    // Deleted and made again while nobody looked: as an update its delete would be lost.
    else if (isAnother(old, object)) changes.push(deleteChange(key, old, false), addChange(key, object, false));
    else changes.push(updateChange(key, old, object));
  }

  #isSame(key: string, object: T): boolean {
    const { resourceVersion } = object.metadata;
    return resourceVersion !== undefined && resourceVersion === this.#writer.versionOf(key);
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

/** Two objects of one name, one after the other? */
function isAnother({ metadata: { uid: was } }: ApiObject, { metadata: { uid: is } }: ApiObject): boolean {
  return was !== is && was !== undefined && is !== undefined;
}
