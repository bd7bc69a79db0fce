/** The part of a cluster that this package needs. */

import type { Cluster } from '@listwatch/client';

/** Lists, watches and a clock: what a watcher or an informer asks of a `Cluster`. A test can bring its own. */
export type WatchedCluster = Pick<Cluster, 'clock' | 'pages' | 'server' | 'watch'>;
