/** The position of a watcher in a collection's history, and the version that it therefore asks for. */

import { ANY_RESOURCE_VERSION, type ResourceVersion } from '@listwatch/api';
import type { LastSeen } from './seen-history.ts';

/**
 * - `none`: nothing has been seen.
 * - `at`: everything up to this version has been reported.
 * - `unavailable`: the server does not have the version that was known (410, too large, another history): only the most recent
 *   state will do.
 */
export type ListPosition = { readonly type: 'none' } | KnownPosition | { readonly type: 'unavailable' };

/** See `at`. */
export interface KnownPosition {
  readonly type: 'at';
  readonly resourceVersion: ResourceVersion;
  /** The newest state that was seen; `undefined` when a version is all that is known. */
  readonly seen?: LastSeen | undefined;
}

/** A position of which only the version is known. */
export function knownPosition(resourceVersion: ResourceVersion): KnownPosition {
  return { type: 'at', resourceVersion };
}

/** The version that a list or a stream of initial events asks for: `''` (most recent), `'0'` (any) or the known one. */
export function startVersion(position: ListPosition, semantic: 'any' | 'mostRecent'): string {
  if (semantic === 'mostRecent' || position.type === 'unavailable') return '';
  // Never '0' once something has been seen: a lagging server would take the reader back in time.
  return position.type === 'at' ? position.resourceVersion : ANY_RESOURCE_VERSION;
}
