/** A Unix socket that only the user of this process can reach. */

import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PrivateSocket {
  readonly path: string;
  /** Takes no more connections, and removes the socket. Those that are open stay. */
  close(): void;
}

/** As many as the readers of one machine use many times over. */
const MAX_CONNECTIONS = 4096;

/**
 * Listens in a new folder of mode 0700, so that nobody else reaches the socket in the moment before it has its own mode. The folder
 * is a short one: a path of more than 107 bytes is none for a socket.
 */
export async function listenPrivately(onConnection: (socket: Socket) => void): Promise<PrivateSocket> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-'));
  const path = join(folder, 'primary.sock');
  const server: Server = createServer({ noDelay: true }, onConnection);
  server.maxConnections = MAX_CONNECTIONS;
  const close = (): void => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    server.listen({ path });
    await once(server, 'listening');
    chmodSync(path, 0o600);
  } catch (error) {
    close();
    throw error;
  }
  return { path, close };
}
