/** What each bench of the relay is given. */

import type { MeasuredUpstream } from './measured-upstream.ts';
import type { RelayPlan } from './served-relay.ts';

export interface RelayStage {
  /** With 5 000 ConfigMaps of 1.6 KB. */
  readonly upstream: MeasuredUpstream;
  /** How to start a relay of ConfigMaps in front of it. */
  readonly plan: RelayPlan;
  readonly seconds: number;
  readonly rounds: number;
  /** Measure the upstream without a relay, too: it takes most of the time. */
  readonly direct: boolean;
}
