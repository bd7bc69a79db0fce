/** What every controller of this package is. */

import type { Cluster } from '@listwatch/client';
import type { Controller, Logger, SharedInformers } from '@listwatch/runtime';

/** What a controller is given when it starts. */
export interface ControllerSurroundings {
  readonly cluster: Cluster;
  /** Shared by all controllers, so that two of them need one watch of a resource. */
  readonly informers: SharedInformers;
  readonly logger: Logger;
  /** The controller ends when it is aborted. */
  readonly signal: AbortSignal;
  /** To be called when all caches are complete; see `BuiltInController.signalsReady`. */
  readonly onReady?: (() => void) | undefined;
  /** To be called with every `controller()` that is made, for the metrics. */
  readonly onController?: ((controller: Controller) => void) | undefined;
}

/** One controller, under the name that kube-controller-manager has for it. */
export interface BuiltInController {
  readonly name: string;
  /** It calls `onReady`. Default: false, it counts as ready at once. */
  readonly signalsReady?: boolean | undefined;
  /** Runs on every server, not on the leader alone. Default: false. */
  readonly onEveryServer?: boolean | undefined;
  /**
   * Runs until the signal is aborted; resolves when nothing of it runs any more. Rejects when it cannot start. It is called
   * again after a failure, and after a lost and regained lead.
   */
  run(surroundings: ControllerSurroundings): Promise<void>;
}
