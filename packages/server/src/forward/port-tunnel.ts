/** A client that carries SPDY in a WebSocket, joined with a kubelet that has it bare: port-forward of kubectl. */

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { MessageLink } from './message-link.ts';

const NORMAL_CLOSURE = 1000;

/** Joins them until one side ends it. The bounds of the messages mean nothing. */
export function joinPorts(client: WebSocket, kubelet: Duplex, first: Buffer): void {
  const link = new MessageLink(client, kubelet);
  const reader = {
    onMessage: (message: Buffer) => link.write([message]),
    onBytes: (bytes: Buffer) => link.send(bytes),
    onEnd: () => link.end(NORMAL_CLOSURE),
  };
  link.start(reader, first);
}
