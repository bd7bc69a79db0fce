/** The objects that a watch begins with: all of a revision, or those that an index has found for its selector. */

import { compareKeys } from '@listwatch/storage';
import type { CacheGeneration } from './cache-generation.ts';
import type { CachedObject } from './cached-object.ts';
import { inScope, type WatchScope } from './watch-scope.ts';

/** A snapshot, or a part of one. */
export interface InitialObjects {
  readonly revision: bigint;
  /** Calls `visit` with the objects whose keys begin with `prefix`, from `start` on, until it returns false. */
  visit(prefix: string, start: string, visit: (object: CachedObject) => boolean): void;
}

/** A client that does not read keeps its objects: with more than these it shares the snapshot, at the cost of a scan. */
const MAX_SELECTED = 1024;

/**
 * The current objects of a scope. Without the index each kubelet that starts would cost a look at all Pods. The generation must
 * be current: nothing may be awaited between `reached` and this.
 */
export function initialObjects(generation: CacheGeneration, scope: WatchScope): InitialObjects {
  const snapshot = generation.snapshot();
  const candidates = generation.candidates(scope);
  if (candidates === undefined || candidates.length > MAX_SELECTED) return snapshot;
  // A copy: the index changes its own with the next change.
  return new SelectedObjects(
    candidates.filter((object) => inScope(scope, object)),
    snapshot.revision,
  );
}

/** Some objects of a revision, in key order. */
export class SelectedObjects implements InitialObjects {
  readonly revision: bigint;
  readonly #objects: readonly CachedObject[];

  constructor(objects: readonly CachedObject[], revision: bigint) {
    this.#objects = objects;
    this.revision = revision;
  }

  visit(prefix: string, start: string, visit: (object: CachedObject) => boolean): void {
    for (const object of this.#objects) {
      if (!object.key.startsWith(prefix) || compareKeys(object.key, start) < 0) continue;
      if (!visit(object)) return;
    }
  }
}
