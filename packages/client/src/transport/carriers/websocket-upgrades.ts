/** WebSockets on Node, each on a connection of its own: with every header, the refusal that the server gave, and back-pressure. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, systemClock } from '@listwatch/api';
import { linkSignal } from '../../link-signal.ts';
import { dial, type SocketOptions } from '../dial/dial.ts';
import { DEFAULT_HEADERS_TIMEOUT_MS, type TimingOptions, transportClosedError } from '../exchange/pending-requests.ts';
import type { UpgradeOffer } from '../message-socket.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { joinedHeaders, mutableHeaders } from './joined-headers.ts';
import { NodeMessageSocket } from './node-message-socket.ts';

export interface WebSocketUpgradesOptions extends SocketOptions, TimingOptions {}

/** The open ones of a transport, so that `close()` can end them all. */
export class WebSocketUpgrades {
  readonly #options: WebSocketUpgradesOptions;
  readonly #clock: Clock;
  readonly #base: string;
  readonly #origin: string;
  readonly #open = new Set<NodeMessageSocket>();
  readonly #closing = new AbortController();

  constructor(options: WebSocketUpgradesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#base = options.server.replace(/\/+$/u, '').replace(/^http/u, 'ws');
    this.#origin = new URL(options.server).origin;
  }

  /** Opens one. Resolves to the answer, also when the server refuses. */
  async open(request: TransportRequest, offer: UpgradeOffer): Promise<TransportResponse> {
    const link = linkSignal(request.signal);
    const end = (): void => link.abort(transportClosedError());
    this.#closing.signal.addEventListener('abort', end, { once: true });
    if (this.#closing.signal.aborted) end();
    try {
      const options = { ...this.#options, clock: this.#clock, alpn: ['http/1.1'], signal: link.signal };
      const socket = await dial(options);
      return await this.#shakeHands(socket, request, offer, link.signal);
    } finally {
      this.#closing.signal.removeEventListener('abort', end);
      link.unlink();
    }
  }

  /** Cuts them all, and opens no more. */
  close(): void {
    this.#closing.abort();
    for (const socket of this.#open) socket.fail(transportClosedError());
  }

  async #shakeHands(
    socket: Socket,
    request: TransportRequest,
    offer: UpgradeOffer,
    signal: AbortSignal,
  ): Promise<TransportResponse> {
    // Loaded with the first one: most programs never need it.
    const ws = await import('ws');
    const client = new ws.WebSocket(this.#base + request.path, [...offer.protocols], {
      createConnection: () => socket,
      // API servers refuse a handshake without an origin.
      headers: { origin: this.#origin, ...mutableHeaders(request.headers) },
      maxPayload: offer.maxMessageBytes,
      perMessageDeflate: false,
    });
    const ms = request.headersTimeoutMs ?? this.#options.headersTimeoutMs ?? DEFAULT_HEADERS_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        cancel();
        signal.removeEventListener('abort', giveUp);
      };
      const fail = (error: unknown): void => {
        settle();
        socket.destroy();
        reject(error);
      };
      const giveUp = (): void => fail(signal.reason);
      const late = (): void =>
        fail(new TransportError('HEADERS_TIMEOUT', `no answer to the handshake within ${ms} ms`));
      const cancel = ms === 0 ? () => {} : this.#clock.after(ms, late);
      signal.addEventListener('abort', giveUp, { once: true });
      let headers: Readonly<Record<string, string>> = {};
      client.on('upgrade', (message) => {
        headers = joinedHeaders(message.headers);
      });
      client.on('unexpected-response', (_, message) => {
        settle();
        resolve({
          status: message.statusCode ?? 0,
          headers: joinedHeaders(message.headers),
          body: refusalBody(message, socket),
        });
      });
      client.on('error', (cause) => {
        fail(new TransportError(failureCode(cause), `the WebSocket was not opened: ${cause.message}`, { cause }));
      });
      client.once('open', () => {
        client.removeAllListeners('error');
        const messages = new NodeMessageSocket(client, socket, this.#clock);
        this.#open.add(messages);
        messages.onOver = () => this.#open.delete(messages);
        settle();
        resolve({ status: 101, headers, body: NOTHING, socket: messages });
      });
      if (signal.aborted) giveUp();
    });
  }
}

const NOTHING: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** A code of the system or of the connection; everything else is an answer that no WebSocket begins with. */
function failureCode(cause: NodeJS.ErrnoException): 'CLOSED' | 'PROTOCOL' {
  return /^E[A-Z]+$/u.test(cause.code ?? '') ? 'CLOSED' : 'PROTOCOL';
}

async function* refusalBody(message: IncomingMessage, socket: Socket): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const chunk of message) yield chunk;
    return undefined;
  } catch (cause) {
    throw new TransportError('CLOSED', 'the answer was cut off', { cause });
  } finally {
    socket.destroy();
  }
}
