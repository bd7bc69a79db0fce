/** What the garbage collector counts. */

import { type WorkQueueMetrics, workQueue } from '@listwatch/runtime';
import type { CollectorRun } from './collector-run.ts';
import type { GarbageCounts } from './garbage-counts.ts';

/** Counters since the collector was made; those of the queues, and the gauges, are of the current run. */
export interface GarbageCollectorMetrics {
  /** Objects that wait to be checked, and possibly deleted. */
  readonly attemptToDelete: WorkQueueMetrics;
  /** Owners whose dependents wait to be orphaned. */
  readonly attemptToOrphan: WorkQueueMetrics;
  /** Has every watched kind been listed? False while nothing runs. */
  readonly isSynced: boolean;
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

/** Reads the numbers when they are asked for. */
export function garbageMetrics(
  counts: GarbageCounts,
  current: () => CollectorRun | undefined,
): GarbageCollectorMetrics {
  const idle = workQueue().metrics;
  return {
    get attemptToDelete() {
      return current()?.toDelete.metrics ?? idle;
    },
    get attemptToOrphan() {
      return current()?.toOrphan.metrics ?? idle;
    },
    get isSynced() {
      return current()?.monitors.isPending === false;
    },
    get watchedKinds() {
      return current()?.monitors.size ?? 0;
    },
    get objects() {
      return current()?.graph.size ?? 0;
    },
    get absentOwners() {
      return current()?.absent.size ?? 0;
    },
    get deletes() {
      return counts.deletes;
    },
    get patches() {
      return counts.patches;
    },
    get finalizersRemoved() {
      return counts.finalizersRemoved;
    },
    get failures() {
      return counts.failures;
    },
    get invalidReferences() {
      return current()?.reports.count ?? 0;
    },
  };
}
