/** Tells a reader of every object of a kind, and of every change. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { CacheGeneration, GenerationListener } from './cache-generation.ts';
import { type CachedObject, parseObject } from './cached-object.ts';
import type { ObjectChange } from './object-tree.ts';
import type { ResourceCache } from './resource-cache.ts';

/** What is told. Objects are those of one kind. */
export interface FollowedObjects {
  readonly set: (object: KubeObject) => void;
  readonly remove: (namespace: string, name: string) => void;
}

/**
 * Follows the generations of a cache. While the feed is lost the reader keeps the last known state; from the next generation it
 * is told only of what is different.
 */
export class CacheFollower implements GenerationListener {
  readonly #cache: ResourceCache;
  readonly #objects: FollowedObjects;
  readonly #known = new Map<string, CachedObject['revision']>();
  #generation: CacheGeneration | undefined;

  constructor(cache: ResourceCache, objects: FollowedObjects) {
    this.#cache = cache;
    this.#objects = objects;
  }

  /** Was the kind ever read? */
  get isReady(): boolean {
    return this.#generation !== undefined;
  }

  /** To be called before the reader is asked: it costs a comparison unless there is another generation. */
  catchUp(): void {
    const { generation } = this.#cache;
    if (generation === this.#generation || generation === undefined) return;
    this.#generation = generation;
    const gone = new Set(this.#known.keys());
    for (const object of generation.snapshot().walk()) {
      gone.delete(object.key);
      this.#set(object);
    }
    for (const key of gone) this.#remove(key);
    generation.listen(this);
  }

  changed({ key, object }: ObjectChange): void {
    if (object === undefined) this.#remove(key);
    else this.#set(object);
  }

  settled(): void {
    // The changes have been told one by one.
  }

  ended(): void {
    // The next generation is compared with what is known.
  }

  #set({ key, revision, bytes }: CachedObject): void {
    if (this.#known.get(key) === revision) return;
    this.#known.set(key, revision);
    this.#objects.set(parseObject(bytes));
  }

  #remove(key: string): void {
    this.#known.delete(key);
    const slash = key.indexOf('/');
    this.#objects.remove(slash < 0 ? '' : key.slice(0, slash), key.slice(slash + 1));
  }
}
