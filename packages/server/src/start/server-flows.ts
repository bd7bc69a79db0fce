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

/** Requests that come before the caches are filled are not classified. */
export function serverFlows({ schemaCache, levelCache, clock, maxReads, maxMutating }: ServerFlowsParts): FlowControl {
  const schemas = new KnownObjects(schemaCache);
  const levels = new KnownObjects(levelCache);
  const read = (): FlowObjects | undefined =>
    schemaCache.generation === undefined || levelCache.generation === undefined
      ? undefined
      : { schemas: schemas.list(''), levels: levels.list('') };
  return new FlowControl({ read, totalSeats: seatsOf(maxReads, maxMutating), clock });
}

/** The seats of all levels together. 0 is no limit; a number bounds memory all the same. */
function seatsOf(reads = 400, writes = 200): number {
  return reads === 0 || writes === 0 ? UNLIMITED_SEATS : reads + writes;
}
