/** A way to a server that can be broken without a socket: for transports that have none, and for servers that are not ours. */

import { systemClock, type TransportDecorator, TransportError } from '@listwatch/client';
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
  let closed = false;
  const decorate: TransportDecorator = (wire) =>
    faults.decorate({
      name: wire.name,
      send: async (request) => {
        if (closed) throw new TransportError('CONNECT', 'the way is closed');
        return wire.send(request);
      },
      close: () => wire.close(),
      [Symbol.asyncDispose]: () => wire.close(),
    });
  const network: RuntimeNetwork = {
    cut: () => void faults.cutWatches(),
    refuse: () => {
      closed = true;
    },
    accept: async () => {
      closed = false;
    },
  };
  return { network, faults, decorate };
}
