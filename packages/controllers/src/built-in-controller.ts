/** What every controller of this package is. */

import type { Cluster } from '@listwatch/client';
import type { Logger, SharedInformers } from '@listwatch/runtime';

/** What a controller is given when it starts. */
export interface ControllerSurroundings {
  readonly cluster: Cluster;
  /** Shared by all controllers, so that two of them need one watch of a resource. */
  readonly informers: SharedInformers;
  readonly logger: Logger;
  /** The controller ends when it is aborted. */
  readonly signal: AbortSignal;
}

/** One controller, under the name that kube-controller-manager has for it. */
export interface BuiltInController {
  readonly name: string;
  /** Runs until the signal is aborted; resolves when nothing of it runs any more. Rejects when it cannot start. */
  run(surroundings: ControllerSurroundings): Promise<void>;
}
