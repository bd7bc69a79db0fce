/** The store as the verbs of a kind see it: a custom kind may be stored in another version than it is served in. */

import { FormEngine } from '../cache/form-engine.ts';
import type { ObjectStore } from '../contract/verb.ts';
import type { ReadKind } from '../kinds/read-kind.ts';
import type { CacheSet } from '../watch/cache-set.ts';

/** The stores of one server. */
export class CustomStores {
  readonly #whole: ObjectStore;
  readonly #caches: CacheSet;
  /** Dropped together with their definitions. */
  readonly #stores = new WeakMap<ReadKind, ObjectStore>();

  constructor(whole: ObjectStore, caches: CacheSet) {
    this.#whole = whole;
    this.#caches = caches;
  }

  /** One store for all requests of a custom kind. Built-in kinds use the server's store. */
  of(definition: ReadKind): ObjectStore {
    const { form } = definition;
    if (form === undefined) return this.#whole;
    const known = this.#stores.get(definition);
    if (known !== undefined) return known;
    const engine = new FormEngine(this.#whole.engine, form, this.#caches.kind(definition).cache);
    const own: ObjectStore = { ...this.#whole, engine };
    const made: ObjectStore = form.isStorage
      ? own
      : {
          ...own,
          announce: () => undefined,
          served: ({ value }, revision) => engine.readBack(value, revision),
        };
    this.#stores.set(definition, made);
    return made;
  }
}
