/** The kinds that concern the garbage collector, as the server in the same process knows them. */

import type { GroupResource, Resource } from '@listwatch/api';

/**
 * The resources with at least one object that has owner references or a finalizer of the garbage collector (`orphan`,
 * `foregroundDeletion`). `ownedKinds` of an `ApiServer` is one.
 */
export interface OwnedKindsSource {
  /** The resources now. */
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
