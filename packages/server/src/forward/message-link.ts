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

export class MessageLink {
  readonly #client: WebSocket;
  readonly #other: Duplex;
  /** Messages that are not out. */
  #unsent = 0;
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
    const [client, other] = [this.#client, this.#other];
    this.#unsent += 1;
    client.send(message, () => {
      this.#unsent -= 1;
      if (client.bufferedAmount < HIGH_WATER_BYTES) other.resume();
      this.#leave();
    });
    if (client.bufferedAmount >= HIGH_WATER_BYTES) other.pause();
  }

  /** Writes to the other side. */
  write(parts: readonly Uint8Array[]): void {
    const [client, other] = [this.#client, this.#other];
    if (other.destroyed) return;
    let hasRoom = true;
    other.cork();
    for (const part of parts) hasRoom = other.write(part);
    other.uncork();
    if (hasRoom || client.isPaused) return;
    client.pause();
    other.once('drain', () => client.resume());
  }

  /** Reads nothing from the client until {@link letGo}. What it had sent before still comes. */
  hold(): void {
    this.#client.pause();
  }

  letGo(): void {
    this.#client.resume();
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

  /** Not before all is out: a WebSocket that closes gives its client half a minute to read the rest. */
  #leave(): void {
    if (this.#farewell === undefined || this.#unsent > 0) return;
    this.#client.close(this.#farewell.code, this.#farewell.reason);
  }
}
