/** Which servers are known not to stream their initial events, for which resources. */

import type { Resource } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { WatchedCluster } from '../watched-cluster.ts';

/** A server may be upgraded, a proxy replaced: after an hour it is asked again. Ours. */
const FORGET_AFTER_MS = 3_600_000;

/** By connection, and gone with it: a test or a second cluster never meets what another has learned. */
const learned = new WeakMap<WatchedCluster, Map<string, number>>();

/** Is it known that this cluster does not stream the initial events of this resource? */
export function knownNotToStream(cluster: WatchedCluster, resource: Resource): boolean {
  const at = learned.get(cluster)?.get(keyOf(resource));
  return at !== undefined && monotonicMs(cluster.clock) - at < FORGET_AFTER_MS;
}

/** Spares the next watcher of this resource the wait. */
export function rememberNotToStream(cluster: WatchedCluster, resource: Resource): void {
  const known = learned.get(cluster) ?? new Map<string, number>();
  known.set(keyOf(resource), monotonicMs(cluster.clock));
  learned.set(cluster, known);
}

function keyOf({ group, version, plural }: Resource): string {
  return `${group}/${version}/${plural}`;
}
