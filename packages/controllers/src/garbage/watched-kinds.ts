/** Decides which resources the garbage collector watches. */

import type { OwnerKind } from './owner-kind-counts.ts';

/** Keeps the monitors up to date until it is closed. */
export interface WatchedKinds {
  start(): void;
  /** References name these kinds as owners for the first time. */
  named(kinds: readonly OwnerKind[]): void;
  /** Some kind is not named as an owner any more. */
  dropped(): void;
  close(): void;
}
