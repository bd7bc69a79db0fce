/** Bounds the connections of the door: when there are too many, the one that has been idle longest goes. */

import type { Socket } from 'node:net';

/** Far more than the tabs of one person, and few enough for a small machine. */
const CONNECTIONS_MAX = 512;

/** A client that is slow with its headers holds a connection until somebody else needs one, and no longer. */
export class DoorConnections {
  readonly #max: number;
  /** Without a request that is being answered, the longest so first. */
  readonly #idle = new Set<Socket>();
  readonly #busy = new Set<Socket>();

  constructor(max: number = CONNECTIONS_MAX) {
    this.#max = max;
  }

  get count(): number {
    return this.#idle.size + this.#busy.size;
  }

  add(socket: Socket): void {
    socket.once('close', () => {
      this.#idle.delete(socket);
      this.#busy.delete(socket);
    });
    if (this.count >= this.#max) {
      const [oldest] = this.#idle;
      if (oldest === undefined) {
        socket.destroy();
        return;
      }
      this.#idle.delete(oldest);
      oldest.destroy();
    }
    this.#idle.add(socket);
  }

  /** A request of somebody who is logged in is being answered. Others stay idle, whatever they ask. */
  busy(socket: Socket): void {
    if (this.#idle.delete(socket)) this.#busy.add(socket);
  }

  idle(socket: Socket): void {
    if (this.#busy.delete(socket)) this.#idle.add(socket);
  }

  cutAll(): void {
    for (const socket of [...this.#idle, ...this.#busy]) socket.destroy();
  }
}
