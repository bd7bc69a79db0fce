/** The liveness settings of a watch, from its options. */

import type { WatchQuery } from '../cluster.ts';
import type { LivenessConfig } from './watch-liveness.ts';

/** A server sends a bookmark a minute. */
const HEARTBEAT_MS = 90_000;
/** As in kube-rs. */
const MARGIN_MS = 5_000;

/** Throws a RangeError for a time that is negative or not finite. */
export function resolveLiveness(
  query: Pick<WatchQuery, 'deadlineMarginMs' | 'heartbeatMs' | 'timeoutSeconds'>,
): LivenessConfig {
  const { timeoutSeconds = 0, heartbeatMs = HEARTBEAT_MS, deadlineMarginMs = MARGIN_MS } = query;
  for (const [name, ms] of Object.entries({ heartbeatMs, deadlineMarginMs })) {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`${name} must be 0 or more milliseconds, not ${ms}`);
  }
  return { timeoutMs: Math.max(0, timeoutSeconds) * 1000, marginMs: deadlineMarginMs, heartbeatMs };
}
