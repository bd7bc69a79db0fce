/** Adds the layers to a transport, and a cluster on top. */

import { systemClock } from '@listwatch/api';
import type { Cluster } from './cluster.ts';
import type { ConnectOptions } from './connect-options.ts';
import { type ClusterOptions, createCluster } from './create-cluster.ts';
import { assemble } from './transport/layers/assemble.ts';
import type { Credentials } from './transport/layers/auth.ts';
import type { Transport } from './transport/transport.ts';

export function assembleCluster(
  transport: Transport,
  address: Pick<ClusterOptions, 'server' | 'servers'>,
  credentials: Credentials | undefined,
  options: ConnectOptions,
): Cluster {
  const { clock = systemClock, namespace, userAgent, maxObjectBytes } = options;
  return createCluster(assemble(transport, { ...options, clock, credentials }), {
    ...address,
    namespace,
    clock,
    userAgent,
    maxObjectBytes,
  });
}
