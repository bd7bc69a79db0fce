/** The read side: caches, and the verbs that read them. A server with a store has one, and so has a relay. */

import type { Clock } from '@listwatch/storage';
import type { CacheFeed } from '../cache/cache-feed.ts';
import type { ReadVerb } from '../contract/verb.ts';
import { getVerb } from '../read/get.ts';
import { listVerb } from '../read/list.ts';
import { watchVerb } from '../read/open-watch.ts';
import type { ReadOrigin } from '../read/read-origin.ts';
import type { CacheSet } from '../watch/cache-set.ts';

/** What a read side is made of. */
export interface ReadSideParts<Feed extends CacheFeed> {
  readonly caches: CacheSet<Feed>;
  /** Asked for what the caches do not have. */
  readonly origin: ReadOrigin;
  readonly clock: Clock;
  /** See `WatchVerbOptions`. */
  readonly minRequestTimeoutMs?: number | undefined;
}

/** The verbs that read. */
export interface ReadVerbs {
  readonly get: ReadVerb;
  readonly list: ReadVerb;
  readonly watch: ReadVerb;
}

/** Makes the verbs. */
export function createReadSide<Feed extends CacheFeed>(parts: ReadSideParts<Feed>): ReadVerbs {
  const { caches, origin, clock, minRequestTimeoutMs } = parts;
  return {
    get: getVerb(caches, origin),
    list: listVerb(caches, origin),
    watch: watchVerb(caches, origin, { clock, minRequestTimeoutMs }),
  };
}
