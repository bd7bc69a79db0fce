/** What a manager says about its caches: that one cannot be filled, that it falls behind, that it follows again. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Logger } from '../controller/logger.ts';
import type { Informer } from '../informer/informer.ts';
import type { InformerStatus } from '../informer/informer-status.ts';
import type { SharedInformerState } from '../informer/shared-informers.ts';
import { cacheName } from './health-report.ts';

/** Follows one cache until it is closed. */
export async function reportCache(
  cache: Pick<Informer, 'hasSynced' | 'resource' | 'statuses'>,
  scope: string,
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
): Promise<void> {
  const name = cacheName(cache.resource, scope);
  let isTold = false;
  let behindSince: number | undefined;
  for await (const { phase, reason } of cache.statuses()) {
    if (!cache.hasSynced) {
      // Once: every attempt fails while a server is down, and the reminders have the latest reason.
      if (phase === 'degraded' && !isTold) logger.warn({ cache: name, reason }, 'a cache cannot be filled yet');
      isTold ||= phase === 'degraded';
    } else if (phase === 'degraded' && behindSince === undefined) {
      behindSince = monotonicMs(clock);
      logger.warn({ cache: name, reason }, 'a cache cannot follow the cluster; it serves what it has');
    } else if (phase === 'live' && behindSince !== undefined) {
      const seconds = (monotonicMs(clock) - behindSince) / 1000;
      behindSince = undefined;
      logger.info({ cache: name }, `a cache follows the cluster again, after ${seconds.toFixed(1)} s`);
    }
  }
}

/** The caches that are not complete, and why. */
export function missingCaches(states: readonly SharedInformerState[]): readonly string[] {
  return states
    .filter(({ hasSynced }) => !hasSynced)
    .map(({ resource, scope, status }) => `${cacheName(resource, scope)}: ${reasonOf(status)}`);
}

/** Why a cache is not complete. */
export function reasonOf({ reason }: InformerStatus): string {
  return reason ?? 'the server has not answered';
}
