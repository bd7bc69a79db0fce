/** The kept HTTP/1.1 connections of one webhook. */

import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** An agent whose first socket may come from the negotiation of HTTP/2. */
export class KeptSockets extends Agent {
  #given: TLSSocket | undefined;
  #isUsed = false;

  /** Does the webhook speak HTTP/1.1 only? */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  take(socket: TLSSocket): void {
    this.#isUsed = true;
    this.#given = socket;
  }

  /** Also closes a socket that was taken and never used: the agent does not know it yet. */
  override destroy(): void {
    this.#given?.destroy();
    super.destroy();
  }

  override createConnection(
    options: Parameters<Agent['createConnection']>[0],
    callback?: Parameters<Agent['createConnection']>[1],
  ): Duplex | null | undefined {
    const socket = this.#given;
    this.#given = undefined;
    return socket !== undefined && !socket.destroyed ? socket : super.createConnection(options, callback);
  }
}
