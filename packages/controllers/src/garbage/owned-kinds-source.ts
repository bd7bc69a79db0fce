/** The kinds that concern the garbage collector, as the server in the same process knows them. */

import type { Resource } from '@listwatch/api';

/**
 * The resources with at least one object that has owner references or a finalizer of the garbage collector (`orphan`,
 * `foregroundDeletion`). `ownedKinds` of an `ApiServer` is one.
 */
export interface OwnedKindsSource {
  /** The resources now. */
  readonly current: readonly Resource[];
  /**
   * Calls the listener whenever `current` has changed, before any watch delivers the write that changed it. Gives back a
   * function that ends it.
   */
  subscribe(listener: () => void): () => void;
}
