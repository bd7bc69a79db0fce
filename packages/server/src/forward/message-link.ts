/** A client's WebSocket and a connection of bytes, each held back while the other does not read. */

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** What becomes of what arrives. */
export interface LinkedReader {
  onMessage(message: Buffer): void;
  onBytes(bytes: Buffer): void;
  /** The connection of bytes is over. */
  onEnd(): void;
}

/** Above it a side is held back. */
const HIGH_WATER_BYTES = 256 * 1024;
/** So is it above so many messages: each takes memory of its own, also when it is empty. */
const HIGH_WATER_MESSAGES = 1024;

export class MessageLink {
  readonly #client: WebSocket;
  readonly #other: Duplex;
  /** Messages that are not out. */
  #unsent = 0;
  /** Parts that the other side has not taken. */
  #unwritten = 0;
  /** Why nothing is read from the client: see {@link hold}, and the other side has enough. */
  #isHeld = false;
  #isFull = false;
  /** How the WebSocket is closed when the client has taken everything. */
  #farewell: { readonly code: number; readonly reason: string | undefined } | undefined;

  constructor(client: WebSocket, other: Duplex) {
    this.#client = client;
    this.#other = other;
  }

  /** `first`: what the other side has already sent. */
  start(reader: LinkedReader, first: Buffer): void {
    const [client, other] = [this.#client, this.#other];
    client.on('message', (data) => {
      if (Buffer.isBuffer(data)) reader.onMessage(data);
    });
    client.on('close', () => other.destroy());
    other.on('error', () => other.destroy());
    other.on('close', () => reader.onEnd());
    if (first.length > 0) reader.onBytes(first);
    other.on('data', (bytes: Buffer) => reader.onBytes(bytes));
    if (other.destroyed) reader.onEnd();
  }

  /** Sends a message to the client. */
  send(message: Buffer): void {
    this.#unsent += 1;
    this.#client.send(message, () => {
      this.#unsent -= 1;
      if (this.#clientHasRoom()) this.#other.resume();
      this.#leave();
    });
    if (!this.#clientHasRoom()) this.#other.pause();
  }

  /** Writes to the other side. */
  write(parts: readonly Uint8Array[]): void {
    const other = this.#other;
    if (other.destroyed) return;
    other.cork();
    for (const part of parts) {
      // Node keeps empty ones in its queue, and counts none of them.
      if (part.length === 0) continue;
      this.#unwritten += 1;
      other.write(part, () => {
        this.#unwritten -= 1;
        this.#holdBack();
      });
    }
    other.uncork();
    this.#holdBack();
  }

  /** Reads nothing from the client until {@link letGo}. What it had sent before still comes. */
  hold(): void {
    this.#isHeld = true;
    this.#client.pause();
  }

  letGo(): void {
    this.#isHeld = false;
    if (!this.#isFull) this.#client.resume();
  }

  /** Bytes that the other side has not taken. */
  get waiting(): number {
    return this.#other.writableLength;
  }

  /** Ends both; the client takes first what was sent. `code`: of the WebSocket. */
  end(code: number, reason?: string): void {
    this.#farewell ??= { code, reason };
    this.#other.destroy();
    // A client that is held back could not answer the farewell.
    this.#client.resume();
    this.#leave();
  }

  #clientHasRoom(): boolean {
    return this.#client.bufferedAmount < HIGH_WATER_BYTES && this.#unsent < HIGH_WATER_MESSAGES;
  }

  /** Reads from the client as long as the other side takes what it sends. */
  #holdBack(): void {
    if (this.#farewell !== undefined) return;
    const isFull = this.#other.writableNeedDrain || this.#unwritten >= HIGH_WATER_MESSAGES;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    if (isFull) this.#client.pause();
    else if (!this.#isHeld) this.#client.resume();
  }

  /** Not before all is out: a WebSocket that closes gives its client half a minute to read the rest. */
  #leave(): void {
    if (this.#farewell === undefined || this.#unsent > 0) return;
    this.#client.close(this.#farewell.code, this.#farewell.reason);
  }
}
