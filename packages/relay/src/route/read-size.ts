/** How much an answer of the upstream would be: what a cache knows of a kind says it. */

import type { CacheGeneration } from '@listwatch/server/read';
import type { ReadPlan } from './read-plan.ts';

/** A list of this size costs the upstream less than to wait for a proof costs the client. */
const SMALL_BYTES = 1024 * 1024;

/** Is the answer small, whatever is in it? */
export function isSmallRead(
  { limit, isOneName }: Pick<ReadPlan, 'isOneName' | 'limit'>,
  { bytes, size }: Pick<CacheGeneration, 'bytes' | 'size'>,
): boolean {
  if (isOneName) return true;
  return (limit > 0 && size > 0 ? Math.min(bytes, (limit * bytes) / size) : bytes) < SMALL_BYTES;
}
