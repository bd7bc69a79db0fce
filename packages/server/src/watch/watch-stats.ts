/** What has been counted of a kind's watches since the start, across generations of its cache. */

import { WatchTraffic } from './watch-traffic.ts';

/** Plain numbers, read by the metrics. */
export class WatchStats {
  readonly traffic: WatchTraffic = new WatchTraffic();
  /** Watches that ended because they fell behind the window or held too many unsent events. */
  terminated = 0;
}
