/** The connections of a reader: taken from the primary, which hears how many are open. */

import type { Socket } from 'node:net';
import type { ClientDoor } from '@listwatch/server/internal';
import type { FromReader, ReaderLoad } from './reader-messages.ts';

/** The primary need not know sooner: it counts what it deals. */
const TELL_MS = 500;

export interface ClientConnectionsParts {
  readonly tell: (message: FromReader) => void;
  readonly take: (socket: Socket, door: ClientDoor) => void;
  /** How many watches are open. */
  readonly watches: () => number;
}

export class ClientConnections {
  readonly #parts: ClientConnectionsParts;
  readonly #timer: NodeJS.Timeout;
  #taken = 0;
  #open = 0;
  #told: ReaderLoad = { taken: 0, open: 0, watches: 0 };

  constructor(parts: ClientConnectionsParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#tellLoad(), TELL_MS).unref();
  }

  take({ id, door }: { readonly id: number; readonly door: ClientDoor }, socket: Socket): void {
    const { tell, take } = this.#parts;
    this.#taken += 1;
    this.#open += 1;
    socket.once('close', () => (this.#open -= 1));
    // First: until then the primary gives it to another reader when this one ends, and that one needs all of its bytes.
    tell({ type: 'taken', id });
    take(socket, door);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tellLoad(): void {
    const load = { taken: this.#taken, open: this.#open, watches: this.#parts.watches() };
    const told = this.#told;
    if (load.taken === told.taken && load.open === told.open && load.watches === told.watches) return;
    this.#told = load;
    this.#parts.tell({ type: 'load', load });
  }
}
