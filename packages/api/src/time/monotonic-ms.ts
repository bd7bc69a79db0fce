/** The time for durations: how long ago something was, and when something is due. */

import type { Clock } from './clock.ts';

/**
 * Milliseconds that only grow; their zero means nothing. With `now`, which is set by people and by NTP, a pause of 50 ms could last an
 * hour. A clock of one's own that has no `monotonic` gives its `now`.
 */
export function monotonicMs(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now();
}
