/** Flow control, configured by the objects in the caches. */

import type { Clock } from '@listwatch/storage';
import { FlowControl } from '../access/flow/flow-control.ts';
import type { FlowObjects } from '../access/flow-classifier.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { KnownObjects } from '../write/admission/known-objects.ts';

/** What flow control needs. */
export interface ServerFlowsParts {
  readonly schemaCache: ResourceCache;
  readonly levelCache: ResourceCache;
  readonly clock: Clock;
  /** As the options of the HTTP server have them. */
  readonly maxReads: number | undefined;
  readonly maxMutating: number | undefined;
}

const UNLIMITED_SEATS = 100_000;
/** The objects that are mandatory exist without being stored: masters are exempt, and all others share one level. */
const MANDATORY_ONLY: FlowObjects = { schemas: [], levels: [] };

/**
 * Before the caches are filled for the first time the mandatory objects limit requests. While the feed is lost the last known
 * objects do: a store that fails must not switch the limits off.
 */
export function serverFlows({ schemaCache, levelCache, clock, maxReads, maxMutating }: ServerFlowsParts): FlowControl {
  const schemas = new KnownObjects(schemaCache);
  const levels = new KnownObjects(levelCache);
  let isKnown = false;
  const read = (): FlowObjects => {
    isKnown ||= schemaCache.generation !== undefined && levelCache.generation !== undefined;
    return isKnown ? { schemas: schemas.list(''), levels: levels.list('') } : MANDATORY_ONLY;
  };
  return new FlowControl({ read, totalSeats: seatsOf(maxReads, maxMutating), clock });
}

/** The seats of all levels together. 0 is no limit; a number bounds memory all the same. */
function seatsOf(reads = 400, writes = 200): number {
  return reads === 0 || writes === 0 ? UNLIMITED_SEATS : reads + writes;
}
