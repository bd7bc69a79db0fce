/** What a manager runs beside controllers. */

import type { Cluster } from '@listwatch/client';
import type { Logger } from '../controller/logger.ts';
import type { SharedInformers } from '../informer/shared-informers.ts';

/** What a runnable is given. */
export interface RunnableSurroundings {
  /** Aborted when the manager stops or the lease is lost: end soon. */
  readonly signal: AbortSignal;
  /** Counted in the metrics. After the loss of the lease it refuses to write, when the runnable needs leadership. */
  readonly cluster: Cluster;
  /** The informers of all controllers, to share. */
  readonly informers: SharedInformers;
  /** With the name of the runnable in every line. */
  readonly logger: Logger;
}

/** Any work with a beginning and an end: a web hook, a periodic clean-up. */
export interface Runnable {
  /** Unique in its manager, also among controllers. */
  readonly name: string;
  /** May end before the signal. What it throws stops the manager. */
  readonly run: (surroundings: RunnableSurroundings) => Promise<void> | void;
  /** False: it runs on every replica, as soon as the caches are complete. Default: true. */
  readonly needsLeadership?: boolean | undefined;
  /** True: it starts before the caches are filled, because filling them may need it. Not with `needsLeadership`. Default: false. */
  readonly beforeCaches?: boolean | undefined;
  /** Why `/readyz` must fail; undefined when it need not. Asked at each probe. Default: never. */
  readonly notReady?: (() => string | undefined) | undefined;
}
