/** A real cluster for the runtime's suite: nothing of it is restarted or made to forget; only our own way to it is broken. */

import { systemClock } from '@listwatch/api';
import { assemble, connect, createCluster } from '@listwatch/client';
import type { RuntimeServer } from '@listwatch/conformance/runtime';
import { createBreakableWay } from './breakable-way.ts';

/** By the current context of a kubeconfig, whose user must be allowed to make namespaces and Secrets. */
export async function connectRealCluster(kubeconfig: string): Promise<RuntimeServer> {
  const admin = await connect({ kubeconfig });
  const way = createBreakableWay();
  return {
    admin,
    network: way.network,
    connect: async (features) => {
      const { transport, server } = await connect({ kubeconfig, maxRetries: 0 });
      return createCluster(assemble(way.decorate(transport), { ...features, clock: systemClock }), { server });
    },
    // To the runtime a 410 is a 410, whoever sends it; a real cluster takes its five minutes.
    forget: async () => {
      const { metadata } = await admin.list(
        { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false },
        { limit: 1 },
      );
      way.faults.restoreAll();
      way.faults.expire(metadata.resourceVersion ?? '');
    },
    [Symbol.asyncDispose]: () => admin.close(),
  };
}
