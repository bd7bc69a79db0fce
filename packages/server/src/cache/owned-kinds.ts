/** The kinds with objects that concern the garbage collector: it need not watch the others. */

import { type GroupResource, groupResourceText, type Resource } from '@listwatch/api';
import type { ReadKind } from '../kinds/read-kind.ts';

/** The resources with at least one object that has owner references or the finalizer `orphan` or `foregroundDeletion`. */
export interface OwnedResources {
  /** The resources now: complete once the server has started, and kept while the store is away. */
  readonly current: readonly Resource[];
  /**
   * The version of the last write of such an object of a resource; undefined when none is known. A watch of the resource
   * that has come to this version has shown all of them.
   */
  lastWrite(resource: GroupResource): string | undefined;
  /**
   * Calls the listener whenever `current` has changed, before any watch delivers the write that changed it. Gives back a
   * function that ends it.
   */
  subscribe(listener: () => void): () => void;
}

/** Fed by the caches, which see the writes of every server on the store. */
export class OwnedKinds implements OwnedResources {
  readonly #kinds = new Set<ReadKind>();
  readonly #listeners = new Set<() => void>();
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #lastRevision: (resource: string) => bigint;
  #current: readonly Resource[] | undefined;

  /** `lastRevision` gives the last revision at which an owned object of a resource was written; 0: none is known. */
  constructor(lastRevision: (resource: string) => bigint, onError?: (error: unknown) => void) {
    this.#lastRevision = lastRevision;
    this.#onError = onError;
  }

  get current(): readonly Resource[] {
    this.#current ??= Array.from(this.#kinds, ({ resource }) => resource);
    return this.#current;
  }

  lastWrite(resource: GroupResource): string | undefined {
    const revision = this.#lastRevision(groupResourceText(resource));
    return revision === 0n ? undefined : String(revision);
  }

  subscribe(listener: () => void): () => void {
    // A wrapper: the same function may be subscribed twice.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Notes whether some object of the kind is owned. */
  set(definition: ReadKind, isOwned: boolean): void {
    // Objects with a lifetime (Events) go by themselves: the garbage collector of Kubernetes ignores them.
    if (definition.strategy?.ttlSeconds !== undefined || this.#kinds.has(definition) === isOwned) return;
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
