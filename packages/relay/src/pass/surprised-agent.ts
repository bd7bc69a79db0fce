/** Idle connections on which something arrives that nobody has asked for. */

import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Closes them. The surplus of one answer (a `Content-Length` that is too short, a second answer) would else be taken for the answer to
 * the next request, which is another user's.
 */
export function closeWhenSurprised<A extends Agent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (socket: Duplex) => {
    if (socket.readableLength > 0) return false;
    const isKept = keep(socket) as unknown;
    if (isKept !== false) socket.on('data', close);
    return isKept !== false;
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', close);
    reuse(socket, request);
  };
  return agent;
}

function close(this: Duplex): void {
  this.destroy();
}
