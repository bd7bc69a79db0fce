/** A client of a server in the same process. */

import type { Clock } from '@listwatch/api';
import { assemble, type Cluster, createCluster, createLoopbackTransport, type FeatureOptions } from '@listwatch/client';
import type { ApiServer, UserInfo } from '@listwatch/server';
import type { Faults } from './faults/faults.ts';

/** What it is made of. */
export interface LoopbackClusterParts {
  readonly server: Pick<ApiServer, 'handle'>;
  readonly user: UserInfo;
  readonly clock: Clock;
  readonly faults: Pick<Faults, 'decorate'>;
  readonly features: FeatureOptions;
}

/** Connects without a socket; everything passes the faults. */
export function createLoopbackCluster({ server, user, faults, clock, features }: LoopbackClusterParts): Cluster {
  const wire = createLoopbackTransport({ handle: (request) => server.handle(request, { user }) }, { clock });
  // Faults next to the wire: a retry must meet them each time.
  return createCluster(assemble(faults.decorate(wire), { ...features, clock }), { server: ADDRESS, clock });
}

/** Shown in messages; there is no address. */
const ADDRESS = 'loopback:';
