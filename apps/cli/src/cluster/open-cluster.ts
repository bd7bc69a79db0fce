/** Connects a command to its cluster. */

import { type Cluster, ConfigError } from '@listwatch/client';
import type { Host } from '../host.ts';
import { StartError } from '../start-error.ts';
import type { Connection } from './connection.ts';
import { explainConfigError } from './explain-config-error.ts';

/** Connects to the cluster; tests pass their own. */
export type Connect = (options: Connection) => Promise<Cluster>;

/** Throws a `StartError` when the configuration does not lead to a cluster. */
export async function openCluster(connectTo: Connect, connection: Connection, { env }: Host): Promise<Cluster> {
  try {
    return await connectTo(connection);
  } catch (error) {
    if (error instanceof ConfigError) throw new StartError(explainConfigError(error, env), { cause: error });
    throw error;
  }
}
