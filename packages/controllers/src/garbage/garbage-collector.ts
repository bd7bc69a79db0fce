/** Deletes objects whose owners are gone, and carries out foreground and orphan deletion. Start here. */

import type { BuiltInController } from '../built-in-controller.ts';
import type { GarbageCollectorMetrics } from './garbage-metrics.ts';
import type { OwnedKindsSource } from './owned-kinds-source.ts';

/** Options of {@link garbageCollector}. */
export interface GarbageCollectorOptions {
  /**
   * The kinds to watch: give `server.ownedKinds` for a server in the same process. Default: every resource that
   * discovery shows with the verbs delete, list and watch, read again every 30 s as kube-controller-manager does.
   */
  readonly ownedKinds?: OwnedKindsSource | undefined;
  /** Objects that are worked on at once, in each of the two queues. Default: 20 (kube-controller-manager). */
  readonly concurrency?: number | undefined;
}

/** The collector, with its numbers. */
export interface GarbageCollector extends BuiltInController {
  readonly metrics: GarbageCollectorMetrics;
}

/** Makes the controller `garbage-collector-controller`. One `run` at a time. */
export function garbageCollector(options: GarbageCollectorOptions = {}): GarbageCollector {
  throw new Error(`not built yet: ${String(options.concurrency)}`);
}
