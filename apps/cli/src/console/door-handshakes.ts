/** Answers the WebSocket handshakes that come to the door: the watches of the page. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { isStatusError } from '@listwatch/api';
import { admittedRoute } from './admitted-route.ts';
import type { UpstreamAnswer } from './console-upstream.ts';
import { type DoorParts, requireSession } from './door-parts.ts';
import { refusalOf, refused } from './door-refusal.ts';
import { acceptWebSocket, passBackMessages, refuseHandshake, type Upgrade } from './forwarded-watch.ts';
import type { LoginSession } from './login-sessions.ts';
import { offeredAccept, offeredKey } from './offered-protocols.ts';

/** A handshake that may go on. */
interface Handshake {
  readonly path: string;
  readonly accept: string;
  readonly session: LoginSession;
}

export class DoorHandshakes {
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  /** Never rejects. Resolves when the WebSocket has ended, or was refused. */
  async answer(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const handshake = this.#admit(request);
      this.#parts.connections.busy(request.socket);
      await this.#parts.exchanges.run(handshake.session, socket, (signal) =>
        this.#watch(handshake, { request, socket, head, signal }),
      );
    } catch (error) {
      // The page asks again by fetch, which shows why.
      if (isStatusError(error)) refuseHandshake(socket, error.httpCode);
      else socket.destroy();
    }
  }

  /** Throws the `StatusError` with which it is refused. */
  #admit(request: IncomingMessage): Handshake {
    const route = admittedRoute(request, this.#parts.address, true);
    if (route.type !== 'forwarded') throw refusalOf(route);
    const protocols = request.headers['sec-websocket-protocol'];
    const session = requireSession(this.#parts.sessions, request, offeredKey(protocols));
    const accept = offeredAccept(protocols);
    if (!isWebSocket(request) || hasBody(request) || accept === undefined)
      throw refused(400, 'this is no WebSocket handshake');
    return { path: route.path, accept, session };
  }

  async #watch(
    { path, accept }: Handshake,
    { signal, ...upgrade }: Upgrade & { readonly signal: AbortSignal },
  ): Promise<void> {
    const answer = await this.#parts.exchanges.ask({ method: 'GET', path, headers: { accept }, signal });
    if (answer.status !== 200) {
      await dropBody(answer);
      return refuseHandshake(upgrade.socket, answer.status);
    }
    const client = await acceptWebSocket(upgrade);
    // What the page sends is dropped. Its end, or the end of its login, ends the request.
    client.on('error', () => client.terminate());
    signal.addEventListener('abort', () => client.terminate(), { once: true });
    try {
      await passBackMessages(client, answer);
    } catch {
      client.terminate();
    }
  }
}

function isWebSocket({ headers, method }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && method === 'GET';
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function dropBody({ body }: UpstreamAnswer): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
