/** Reservations that outlive a commit: an address goes to no other Service until the outcome of the write is known. */

import type { Revision } from '@listwatch/storage';

/** How a write ended. */
export type WriteOutcome =
  | { readonly type: 'committed'; readonly revision: Revision }
  | { readonly type: 'nothing' }
  /** The storage did not answer; it may have committed. */
  | { readonly type: 'unknown' };

/** Releases a reservation as the outcome of the write allows. Call it once. */
export type ReleaseReservation = (outcome: WriteOutcome) => void;
