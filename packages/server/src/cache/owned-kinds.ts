/** The kinds with objects that concern the garbage collector: it need not watch the others. */

import type { Resource } from '@listwatch/api';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';

/** The resources with at least one object that has owner references or the finalizer `orphan` or `foregroundDeletion`. */
export interface OwnedResources {
  /** The resources now: complete once the server has started, and kept while the store is away. */
  readonly current: readonly Resource[];
  /**
   * Calls the listener whenever `current` has changed, before any watch delivers the write that changed it. Gives back a
   * function that ends it.
   */
  subscribe(listener: () => void): () => void;
}

/** Fed by the caches, which see the writes of every server on the store. */
export class OwnedKinds implements OwnedResources {
  readonly #kinds = new Set<ResourceDefinition>();
  readonly #listeners = new Set<() => void>();
  readonly #onError: ((error: unknown) => void) | undefined;
  #current: readonly Resource[] | undefined;

  constructor(onError?: (error: unknown) => void) {
    this.#onError = onError;
  }

  get current(): readonly Resource[] {
    this.#current ??= Array.from(this.#kinds, ({ resource }) => resource);
    return this.#current;
  }

  subscribe(listener: () => void): () => void {
    // A wrapper: the same function may be subscribed twice.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Notes whether some object of the kind is owned. */
  set(definition: ResourceDefinition, isOwned: boolean): void {
    // Objects with a lifetime (Events) go by themselves: the garbage collector of Kubernetes ignores them.
    if (definition.strategy.ttlSeconds !== undefined || this.#kinds.has(definition) === isOwned) return;
    if (isOwned) this.#kinds.add(definition);
    else this.#kinds.delete(definition);
    this.#current = undefined;
    for (const listener of this.#listeners) this.#tell(listener);
  }

  /** What a listener throws must not end the feed. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#onError?.(error);
    }
  }
}
