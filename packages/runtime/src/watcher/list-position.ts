/** Where a watcher stands in a collection's history, and which version it therefore asks for. */

import { ANY_RESOURCE_VERSION, type ResourceVersion } from '@listwatch/api';

/**
 * - `none`: nothing has been seen.
 * - `at`: everything up to this version has been told.
 * - `unavailable`: the server has refused the version that was known (410, too large): only what is true now will do.
 */
export type ListPosition = { readonly type: 'none' } | KnownPosition | { readonly type: 'unavailable' };

/** See `at`. */
export interface KnownPosition {
  readonly type: 'at';
  readonly resourceVersion: ResourceVersion;
}

/** The version that a list or a stream of initial events begins at: `''` (now), `'0'` (anything) or one that is known. */
export function startVersion(position: ListPosition, semantic: 'any' | 'mostRecent'): string {
  if (semantic === 'mostRecent' || position.type === 'unavailable') return '';
  // Never '0' once something has been seen: a server that lags would take the reader back in time.
  return position.type === 'at' ? position.resourceVersion : ANY_RESOURCE_VERSION;
}
