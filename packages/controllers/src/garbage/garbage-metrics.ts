/** What the garbage collector counts. */

import type { WorkQueueMetrics } from '@listwatch/runtime';

/** Numbers since the start of the run; gauges are of now. */
export interface GarbageCollectorMetrics {
  /** Objects that wait to be checked, and possibly deleted. */
  readonly attemptToDelete: WorkQueueMetrics;
  /** Owners whose dependents wait to be orphaned. */
  readonly attemptToOrphan: WorkQueueMetrics;
  /** Kinds that are watched. */
  readonly watchedKinds: number;
  /** Objects in the graph. */
  readonly objects: number;
  /** Owners that are known to be absent; bounded. */
  readonly absentOwners: number;
  /** Objects that the collector deleted. */
  readonly deletes: number;
  /** Owner references that it removed or unblocked, by patches. */
  readonly patches: number;
  /** Finalizers that it removed. */
  readonly finalizersRemoved: number;
  /** Attempts that failed and are tried again after their backoff. */
  readonly failures: number;
  /** References to an owner in another namespace that were reported. */
  readonly invalidReferences: number;
}
