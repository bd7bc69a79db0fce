/** What a watcher remembers, whatever it is doing. */

import type { KnownPosition, ListPosition } from './list-position.ts';

/** What does not change while a watcher runs. */
export interface WatcherRules {
  readonly listSemantic: 'any' | 'mostRecent';
  readonly pageSize: number;
  readonly alwaysPaged: boolean;
}

/** What every state remembers. */
export interface WatcherMemory {
  readonly rules: WatcherRules;
  readonly position: ListPosition;
  /** `never` is also what `first` becomes when the server is seen not to do it. */
  readonly streaming: 'first' | 'never' | 'only';
  /** Pauses since the last proven progress; sets the length of the next. */
  readonly failures: number;
  /** Streams of initial events in a row that ended without their marker. */
  readonly markerless: number;
  /** Streams of initial events in a row that were answered 429. */
  readonly throttled: number;
  /** Watches in a row that came to nothing, for no reason that waiting cures. */
  readonly stumbles: number;
  /** The server may have been restored or replaced since the cache was filled, or shows objects by another schema. */
  readonly otherHistory: boolean;
  /** The server answered a list "from its cache" in pages: it has no cache, so later lists are paged too. */
  readonly cacheless: boolean;
}

/** The memory of one that watches: it knows where it stands. */
export interface WatchingMemory extends WatcherMemory {
  readonly position: KnownPosition;
}
