/** What reads need beyond the caches. */

import type { WatchBatch } from '@listwatch/storage';
import type { CachedPage, PageRequest } from '../cache/list-page.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { Pause } from '../contract/pause.ts';
import type { ReadKind } from '../kinds/read-kind.ts';

/** One object as it is served. */
export interface OriginObject {
  /** Undefined: there is none. */
  readonly served: Buffer | undefined;
  /** The object was read at this revision. */
  readonly revision: bigint;
}

/** How a page is read: until the signal, and with breaks. */
export interface PageReading {
  readonly signal: AbortSignal;
  readonly pause: Pause;
}

/** Changes from before the window of a cache. */
export interface KindHistory {
  /** Batches of changes, also of other kinds. It reports its progress although the kind is quiet. */
  readonly batches: AsyncIterable<WatchBatch>;
  /** Ends the requests for progress. */
  readonly stopAsking: () => void;
}

/** The origin of the caches. `COMPACTED` is thrown for a revision that it has forgotten. */
export interface ReadOrigin {
  /** A revision of the kind: every write that was acknowledged before the call is at it or before it. */
  newest(definition: ReadKind, signal: AbortSignal): Promise<bigint>;
  /**
   * The same for a watch that has begun and can wait: the caches have reached the revision when it resolves. It may take long, and
   * rejects with the reason of the signal only. Absent: `newest` is quick enough to begin no watch before it.
   */
  proven?(definition: ReadKind, signal: AbortSignal): Promise<bigint>;
  /** The most recent state of an object. */
  object(definition: ReadKind, key: string, signal: AbortSignal): Promise<OriginObject>;
  /** A page at a revision, or at the newest one (undefined). */
  page(cache: ResourceCache, request: PageRequest, at: bigint | undefined, reading: PageReading): Promise<CachedPage>;
  /** The changes of a kind after a revision. */
  history(cache: ResourceCache, after: bigint, signal: AbortSignal): KindHistory;
}
