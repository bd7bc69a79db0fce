/** The gate of a relay: what is not planned to be read here passes, unseen. */

import type { IncomingRequest, RequestGate, Route } from '@listwatch/server/read';
import type { UpstreamServer } from '../pass/upstream.ts';
import { planRead, type RelayFacts } from './plan-read.ts';
import type { ReadCounts } from './read-counts.ts';

export interface RelayGateParts {
  readonly facts: () => RelayFacts;
  readonly upstream: Pick<UpstreamServer, 'pass'>;
  readonly counts: ReadCounts;
}

/** Before authentication: the upstream authenticates, authorizes, limits and records what passes. */
export function createRelayGate({ facts, upstream, counts }: RelayGateParts): RequestGate {
  return {
    passes: (incoming, route) => {
      const plan = planRead(headOf(incoming, route), facts());
      return plan.type === 'pass' ? plan.reason : undefined;
    },
    pass: (incoming, reply, { signal, reason }) => {
      counts.passed(reason);
      return upstream.pass(incoming, reply, { signal });
    },
  };
}

function headOf(incoming: IncomingRequest, route: Route): Parameters<typeof planRead>[0] {
  return { route, target: incoming.target, accept: incoming.header('accept'), rawHeaders: incoming.rawHeaders };
}
