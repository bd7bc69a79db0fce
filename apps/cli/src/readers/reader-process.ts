/** Which process of a server this one is. */

import cluster from 'node:cluster';
import type { ServeSettings } from '../serve/serve-options.ts';

/** Is it a reader, started by its primary with the same arguments? */
export function isReaderProcess({ readers }: Pick<ServeSettings, 'readers'>): boolean {
  return readers > 0 && cluster.isWorker;
}
