/** Decides which resources the garbage collector watches. */

import type { OwnerKind } from './owner-kind-counts.ts';

/** Keeps the monitors up to date until it is closed. */
export interface WatchedKinds {
  start(): void;
  /** References name these kinds as owners for the first time. */
  named(kinds: readonly OwnerKind[]): void;
  /** Some kind is not named as an owner any more. */
  dropped(): void;
  /**
   * Resolves when the watches have shown every dependent that was written up to now. Without a hint nobody knows what
   * that is: then it only waits for the first lists.
   */
  caughtUp(): Promise<void>;
  close(): void;
}
