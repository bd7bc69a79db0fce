/** The caches as health checks and `/debug/cache` show them. */

import { groupResourceText } from '@listwatch/api';
import { BUDGET_NAMES } from '../cache/cache-budgets.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { StorageCaches } from '../watch/cache-set.ts';

/** Throws while a built-in kind cannot be read. A custom kind may wait for a webhook that never answers. */
export function requireReady(caches: StorageCaches): void {
  for (const { cache } of caches) if (cache.definition.custom === undefined) cache.requireReady();
}

/** The number of values that cannot be decoded, by resource. No keys: everybody may read it. */
export function undecodableNote(caches: StorageCaches): string | undefined {
  const counts = [...caches].flatMap(({ cache }) => {
    const count = cache.generation?.undecodable ?? 0;
    return count === 0 ? [] : [`${groupResourceText(cache.definition.resource)} ${count}`];
  });
  return counts.length === 0 ? undefined : `stored values that cannot be decoded: ${counts.join(', ')}`;
}

/** The caches as `/debug/cache` shows them. */
export function debugCache(caches: StorageCaches): unknown {
  return {
    revision: String(caches.feed.revision),
    feedFailures: caches.feed.failures,
    bytes: Object.fromEntries(
      BUDGET_NAMES.map((name) => [name, { used: caches.budgets[name].used, limit: caches.budgets[name].maxBytes }]),
    ),
    resources: [...caches].map((kind) => ({
      resource: kind.cache.definition.resource.plural,
      group: kind.cache.definition.resource.group,
      state: kind.cache.state.type,
      ...debugGeneration(kind.cache),
      ...kind.counts,
      eventsSent: kind.stats.traffic.events,
      bytesSent: kind.stats.traffic.bytes,
    })),
  };
}

/** The objects, the window and the snapshots of a cache; undefined while it is not loaded. */
export function debugGeneration(cache: ResourceCache): object | undefined {
  const { generation } = cache;
  if (generation === undefined) return undefined;
  const { window, snapshots } = generation;
  return {
    objects: generation.size,
    undecodable: generation.undecodable,
    window: {
      events: window.size,
      bytes: window.bytes,
      capacity: window.capacity,
      seconds: window.oldestTime === undefined ? 0 : Math.round((cache.now() - window.oldestTime) / 1000),
      oldestResourceVersion: String(window.oldestStart),
      newestResourceVersion: String(generation.revision),
    },
    snapshots: snapshots.count,
    snapshotBytes: snapshots.bytes,
  };
}
