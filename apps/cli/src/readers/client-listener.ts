/** The ports of a server with readers: it accepts connections and reads nothing from them. */

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { ClientDoor, HttpServerAddress } from '@listwatch/server/internal';

/** Thousands of watchers may reconnect at the same moment. The system caps the value. */
const BACKLOG = 4096;
/** Connections that no reader has yet. */
const MAX_WAITING = 4096;
const LOOPBACK = '127.0.0.1';

export interface ClientPorts {
  readonly host: string;
  readonly port: number;
  /** A second port without TLS, on this machine only. */
  readonly insecurePort: number | undefined;
}

export class ClientListener {
  readonly #onConnection: (socket: Socket, door: ClientDoor) => void;
  readonly #servers: Server[] = [];
  #dropped = 0;

  constructor(onConnection: (socket: Socket, door: ClientDoor) => void) {
    this.#onConnection = onConnection;
  }

  /** Connections that were closed at once, because too many waited. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Rejects with Node's error when a port is taken or not permitted. */
  async listen({ host, port, insecurePort }: ClientPorts): Promise<HttpServerAddress> {
    const { address, port: bound, family } = await this.#open('tls', host, port);
    let insecureUrl: string | undefined;
    if (insecurePort !== undefined) {
      try {
        insecureUrl = `http://${LOOPBACK}:${(await this.#open('plain', LOOPBACK, insecurePort)).port}`;
      } catch (error) {
        this.close();
        throw error;
      }
    }
    const name = family === 'IPv6' ? `[${address}]` : address;
    return { host: address, port: bound, url: `https://${name}:${bound}`, insecureUrl };
  }

  /** Takes no more connections. */
  close(): void {
    for (const server of this.#servers.splice(0)) server.close();
  }

  async #open(
    door: ClientDoor,
    host: string,
    port: number,
  ): Promise<{ readonly address: string; readonly port: number; readonly family: string }> {
    const server = createServer({ pauseOnConnect: true }, (socket) => this.#onConnection(socket, door));
    server.maxConnections = MAX_WAITING;
    server.on('drop', () => (this.#dropped += 1));
    server.listen({ host, port, backlog: BACKLOG });
    await once(server, 'listening');
    // A connection that cannot be accepted, for example for want of file descriptors. Without a listener it ends the process.
    server.on('error', () => (this.#dropped += 1));
    this.#servers.push(server);
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('a TCP port was expected');
    return address;
  }
}
