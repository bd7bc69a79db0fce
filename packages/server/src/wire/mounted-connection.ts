/** What is known of a connection of an HTTP/1.1 server that is not `Http1Endpoint`. */

import type { Socket } from 'node:net';
import type { PipelinedTurns } from './pipelined-turns.ts';

/** One connection. */
export interface MountedConnection {
  /** The turns of its requests. Undefined before the first one. */
  turns: PipelinedTurns | undefined;
  /** Closes each open reply. Undefined before the first one. */
  closeReplies: Set<() => void> | undefined;
}

/** By socket: the host made it, and several listeners that are mounted on one server must share its turns. */
const CONNECTIONS = new WeakMap<Socket, MountedConnection>();

/** The connection of a socket; the same one each time. */
export function mountedConnection(socket: Socket): MountedConnection {
  let connection = CONNECTIONS.get(socket);
  if (connection === undefined) {
    connection = { turns: undefined, closeReplies: undefined };
    CONNECTIONS.set(socket, connection);
  }
  return connection;
}
