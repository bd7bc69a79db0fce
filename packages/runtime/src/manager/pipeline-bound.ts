/** How many requests of one connection may wait for their answers. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onResponseEnd } from './response-end.ts';

/** The one that is answered, and two behind it. */
const MAX_OPEN = 3;

/**
 * Cuts connections that pipeline. Node starts all requests of a packet at once and keeps them until their turn: 24 bytes become 2.4 KB.
 * Kubelets, scrapers and API servers ask one thing at a time, so nobody who matters has to wait instead.
 */
export class PipelineBound {
  readonly #open = new Map<Socket, number>();

  /** Counts a request until it is answered. False: there are too many; the connection is cut. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const open = this.#open.get(socket) ?? 0;
    // The rest of a packet is read although its socket is gone.
    if (socket.destroyed) return false;
    if (open === MAX_OPEN) {
      socket.destroy();
      return false;
    }
    this.#open.set(socket, open + 1);
    onResponseEnd(request, response, () => {
      const left = (this.#open.get(socket) ?? 0) - 1;
      if (left > 0) this.#open.set(socket, left);
      else this.#open.delete(socket);
    });
    return true;
  }
}
