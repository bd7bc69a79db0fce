/** Connections to a target, by protocol. */

import type { Connection, Protocol } from './connection.ts';
import { openHttp1 } from './http1-connection.ts';
import { openHttp2 } from './http2-connection.ts';
import type { Target } from './target.ts';

/** Handshakes that are under way at once: more would run into the server's time limit for one. */
const AT_ONCE = 50;

/** Opens one. */
export function openConnection(target: Target, protocol: Protocol): Promise<Connection> {
  return protocol === 'h1' ? openHttp1(target) : openHttp2(target);
}

/** Opens many, some at a time. */
export async function openConnections(target: Target, protocol: Protocol, count: number): Promise<Connection[]> {
  const all: Connection[] = [];
  while (all.length < count) {
    const size = Math.min(AT_ONCE, count - all.length);
    all.push(...(await Promise.all(Array.from({ length: size }, () => openConnection(target, protocol)))));
  }
  return all;
}

/** Runs `work` with that many connections, and closes them. */
export async function withConnections<T>(
  target: Target,
  protocol: Protocol,
  count: number,
  work: (connections: readonly Connection[]) => Promise<T>,
): Promise<T> {
  const connections = await openConnections(target, protocol, count);
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}
