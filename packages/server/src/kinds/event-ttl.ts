/** The TTL of Events. */

import type { ResourceDefinition } from './resource-definition.ts';

/** The kinds, with another TTL for those that have one. Throws a RangeError for less than a second. */
export function withEventTtl(
  kinds: readonly ResourceDefinition[],
  ttlMs: number | undefined,
): readonly ResourceDefinition[] {
  if (ttlMs === undefined) return kinds;
  if (!(ttlMs >= 1000 && Number.isFinite(ttlMs))) throw new RangeError(`eventTtlMs must be 1000 or more, not ${ttlMs}`);
  const ttlSeconds = Math.ceil(ttlMs / 1000);
  return kinds.map((kind) =>
    kind.strategy.ttlSeconds === undefined ? kind : { ...kind, strategy: { ...kind.strategy, ttlSeconds } },
  );
}
