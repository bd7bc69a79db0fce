/** A Unix socket that only the user of this process can reach. */

import { once } from 'node:events';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PrivateSocket {
  readonly path: string;
  /** Takes no more connections, and removes the socket. Those that are open stay. */
  close(): void;
}

/** As many as the readers of one machine use many times over. */
const MAX_CONNECTIONS = 4096;
const FOLDER_PREFIX = 'listwatch-readers-';
const SOCKET_NAME = 'primary.sock';
/** A folder without a socket is one that is being made, or one whose maker was killed meanwhile. */
const UNFINISHED_MS = 60_000;
/** Between its name and its first connection a socket refuses; Node does both at once. */
const OPENING_MS = 1000;

/**
 * Listens in a new folder of mode 0700, so that nobody else reaches the socket in the moment before it has its own mode. The folder
 * is a short one: a path of more than 107 bytes is none for a socket.
 */
export async function listenPrivately(onConnection: (socket: Socket) => void): Promise<PrivateSocket> {
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const path = join(folder, SOCKET_NAME);
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

/**
 * Removes the sockets of processes that were killed. A socket that somebody listens on stays: process ids say nothing about
 * processes of another container. Never rejects.
 */
export async function removeStaleSockets(folder: string = tmpdir()): Promise<void> {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => name.startsWith(FOLDER_PREFIX));
  } catch {
    return;
  }
  await Promise.all(names.map((name) => removeIfStale(join(folder, name))));
}

async function removeIfStale(folder: string): Promise<void> {
  try {
    const { uid, mode, mtimeMs } = lstatSync(folder);
    // Others may make folders here. Only what this user made, and nobody else could write to, is ours.
    if (uid !== process.getuid?.() || (mode & 0o170_777) !== 0o040_700) return;
    const path = join(folder, SOCKET_NAME);
    const reach = await reachOf(path);
    const age = Date.now() - mtimeMs;
    if (reach === 'listening' || age < (reach === 'refused' ? OPENING_MS : UNFINISHED_MS)) return;
    rmSync(path, { force: true });
    // Never what somebody else has put there.
    rmdirSync(folder);
  } catch {
    // Another start has removed it, or it is not empty.
  }
}

function reachOf(path: string): Promise<'absent' | 'listening' | 'refused'> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve('listening');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // Any other failure, a full backlog for one, says nothing.
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : error.code === 'ENOENT' ? 'absent' : 'listening');
    });
  });
}
