/** A way to a server that can be broken without a socket: for transports that have none, and for servers that are not ours. */

import { systemClock } from '@listwatch/api';
import {
  type Transport,
  type TransportDecorator,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@listwatch/client';
import type { RuntimeNetwork } from '@listwatch/conformance/runtime';
import { createFaults, type Faults } from '@listwatch/testing';

export interface BreakableWay {
  readonly network: RuntimeNetwork;
  readonly faults: Faults;
  /** Put this next to the wire. */
  readonly decorate: TransportDecorator;
}

export function createBreakableWay(): BreakableWay {
  const faults = createFaults({ clock: systemClock });
  /** Break off what has not been answered yet; `faults` knows only of watches that run. */
  const breakers = new Set<(error: Error) => void>();
  let closed = false;
  const send = async (wire: Transport, request: TransportRequest): Promise<TransportResponse> => {
    if (closed) throw new TransportError('CONNECT', 'the way is closed');
    let breaker: ((error: Error) => void) | undefined;
    const broken = new Promise<never>((_, reject) => {
      breaker = reject;
      breakers.add(reject);
    });
    try {
      return await Promise.race([wire.send(request), broken]);
    } finally {
      if (breaker !== undefined) breakers.delete(breaker);
    }
  };
  const network: RuntimeNetwork = {
    cut: () => {
      faults.cutWatches();
      for (const breaker of breakers) breaker(new TransportError('CLOSED', 'the way was cut'));
    },
    refuse: () => {
      closed = true;
    },
    accept: async () => {
      closed = false;
    },
  };
  const decorate: TransportDecorator = (wire) =>
    faults.decorate({
      name: wire.name,
      send: (request) => send(wire, request),
      close: () => wire.close(),
      [Symbol.asyncDispose]: () => wire.close(),
    });
  return { network, faults, decorate };
}
