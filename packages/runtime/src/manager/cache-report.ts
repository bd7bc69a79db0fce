/** What a manager says about its caches: that one cannot be filled, that it falls behind, that it follows again. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { defined } from '@listwatch/api/values';
import type { Logger } from '../controller/logger.ts';
import type { Informer } from '../informer/informer.ts';
import type { InformerStatus } from '../informer/informer-status.ts';
import type { InformerWarning } from '../informer/informer-warning.ts';
import type { SharedInformerState } from '../informer/shared-informers.ts';
import { cacheName } from './health-report.ts';

/** Follows one cache until it is closed. */
export async function reportCache(
  cache: Pick<Informer, 'hasSynced' | 'resource' | 'statuses'>,
  scope: string,
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
): Promise<void> {
  const name = cacheName(cache.resource, scope);
  /** Since when it does not follow the cluster; told once, because every attempt fails while a server is down. */
  let trouble: { readonly since: number; readonly wasFilled: boolean } | undefined;
  for await (const { phase, reason } of cache.statuses()) {
    if (phase === 'degraded' && trouble === undefined) {
      trouble = { since: monotonicMs(clock), wasFilled: cache.hasSynced };
      const what = cache.hasSynced
        ? 'a cache cannot follow the cluster; it serves what it has'
        : 'a cache cannot be filled yet';
      logger.warn({ cache: name, reason }, what);
    } else if (phase === 'live' && trouble !== undefined) {
      const seconds = ((monotonicMs(clock) - trouble.since) / 1000).toFixed(1);
      const what = trouble.wasFilled
        ? 'a cache follows the cluster again'
        : 'a cache is filled and follows the cluster';
      trouble = undefined;
      logger.info({ cache: name }, `${what}, after ${seconds} s`);
    }
  }
}

/** A warning of a cache as a line of the log. */
export function logCacheWarning(logger: Logger, name: string, warning: InformerWarning): void {
  const { type, message, key, error } = warning;
  logger.warn({ cache: name, type, ...defined({ key, error }) }, `a cache has a problem: ${message}`);
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
