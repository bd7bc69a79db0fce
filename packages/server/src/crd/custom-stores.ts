/** The store as the verbs of a kind see it: a custom kind may be stored in another version than it is served in. */

import { FormEngine } from '../cache/form-engine.ts';
import type { ObjectStore } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { CacheSet } from '../watch/cache-set.ts';

/** The stores of one server. */
export class CustomStores {
  readonly #whole: ObjectStore;
  readonly #caches: CacheSet;
  /** They go with their definitions. */
  readonly #stores = new WeakMap<ResourceDefinition, ObjectStore>();

  constructor(whole: ObjectStore, caches: CacheSet) {
    this.#whole = whole;
    this.#caches = caches;
  }

  /** The same for all requests of a kind. Built-in kinds have that of the whole server. */
  of(definition: ResourceDefinition): ObjectStore {
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
