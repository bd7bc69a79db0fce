/** The door of the console: serves the page, logs browsers in, and passes their requests on. Start here. */

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { backgroundClock, type Clock } from '@listwatch/api';
import { inTurn, type TurnEnd } from '@listwatch/server/internal';
import { DoorHandshakes } from './door-handshakes.ts';
import { type ConsoleDoorOptions, type DoorParts, doorParts } from './door-parts.ts';
import { DoorRequests } from './door-requests.ts';
import type { CodeOptions } from './login-codes.ts';
import { hostText, reachable } from './trusted-host.ts';

/** A door that is open. */
export interface ConsoleDoor {
  /** `http://127.0.0.1:6480`. */
  readonly url: string;
  /** A new link: it logs in one browser, once, within ten minutes. */
  link(options?: CodeOptions): string;
  /** Requests and WebSockets that are being answered now. */
  readonly active: number;
  /** Ends at once: the page reconnects when there is a door again. */
  close(): Promise<void>;
}

/** A browser sends its headers in one go. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than the door itself waits for a body. */
const REQUEST_TIMEOUT_MS = 90_000;
const IDLE_TIMEOUT_MS = 30_000;
const CHECK_MS = 2000;
/** Cookies of other programs on this host come along. */
const HEADERS_MAX_BYTES = 32 * 1024;

/** Opens it. Rejects with Node's error when the port is taken. */
export async function openConsoleDoor(options: ConsoleDoorOptions): Promise<ConsoleDoor> {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: HEADERS_MAX_BYTES,
    noDelay: true,
  });
  server.listen({ host: options.address, port: options.port });
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('the console listens on no port');
  const { clock = backgroundClock } = options;
  return new Door(server, doorParts({ ...options, port: bound.port }, clock), clock);
}

class Door implements ConsoleDoor {
  readonly url: string;
  readonly #server: Server;
  readonly #parts: DoorParts;

  constructor(server: Server, parts: DoorParts, clock: Clock) {
    const { address, port } = parts.address;
    this.url = `http://${hostText(reachable(address))}:${port}`;
    this.#server = server;
    this.#parts = parts;
    const requests = new DoorRequests(parts);
    const handshakes = new DoorHandshakes(parts);
    server.on('error', (error) => parts.onError(error));
    server.on('connection', (socket: Socket) => parts.connections.add(socket));
    server.on('request', (request, response) => {
      response.on('error', () => response.destroy());
      inTurn(request.socket, clock, turnOf(response), () => void requests.answer(request, response));
    });
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      void handshakes.answer(request, socket, head);
    });
  }

  get active(): number {
    return this.#parts.exchanges.active;
  }

  link(options?: CodeOptions): string {
    return `${this.url}/console/login?code=${this.#parts.codes.make(options)}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#parts.connections.cutAll();
    await closed;
  }
}

function turnOf(response: ServerResponse): TurnEnd {
  return {
    get closed() {
      return response.closed;
    },
    onClose: (listener) => void response.once('close', listener),
  };
}
