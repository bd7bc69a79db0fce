/** WebSockets for `exec` and its like where there is `fetch`: in browsers. */

import type { Clock } from '@listwatch/api';
import { DEFAULT_HEADERS_TIMEOUT_MS, transportClosedError } from '../exchange/pending-requests.ts';
import type { UpgradeOffer } from '../message-socket.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { bearerProtocol } from './bearer-protocol.ts';
import { BrowserMessageSocket, type MessageWebSocketLike } from './browser-message-socket.ts';

/** Begins a handshake. */
export type OpenMessageWebSocket = (url: string, protocols: readonly string[]) => MessageWebSocketLike;

export interface BrowserUpgradesOptions {
  readonly base: string;
  readonly clock: Clock;
  readonly headersTimeoutMs?: number | undefined;
  readonly open?: OpenMessageWebSocket | undefined;
}

/** What a handshake may do without. */
const DISPENSABLE: ReadonlySet<string> = new Set(['accept', 'authorization', 'user-agent']);

/** The open ones, so that `close()` can end them all. */
export class BrowserUpgrades {
  readonly #options: BrowserUpgradesOptions;
  readonly #open = new Set<BrowserMessageSocket>();

  constructor(options: BrowserUpgradesOptions) {
    this.#options = options;
  }

  /** Opens one; undefined when the server refuses. Throws a `TypeError` for headers that a browser cannot send. */
  async open(request: TransportRequest, offer: UpgradeOffer): Promise<TransportResponse | undefined> {
    const { base, clock, open = openGlobal, headersTimeoutMs = DEFAULT_HEADERS_TIMEOUT_MS } = this.#options;
    const protocols = [...tokenOf(request), ...offer.protocols];
    const socket = new BrowserMessageSocket(open(base.replace(/^http/u, 'ws') + request.path, protocols), clock, offer);
    this.#open.add(socket);
    const ms = request.headersTimeoutMs ?? headersTimeoutMs;
    const late = (): void =>
      socket.fail(new TransportError('HEADERS_TIMEOUT', `no answer to the handshake within ${ms} ms`));
    const cancel = ms === 0 ? () => {} : clock.after(ms, late);
    const giveUp = (): void => socket.destroy();
    request.signal?.addEventListener('abort', giveUp, { once: true });
    try {
      const isOpen = await socket.opened;
      request.signal?.throwIfAborted();
      return isOpen ? { status: 101, headers: {}, body: NOTHING, socket } : undefined;
    } finally {
      cancel();
      request.signal?.removeEventListener('abort', giveUp);
      socket.onOver = () => this.#open.delete(socket);
    }
  }

  close(): void {
    for (const socket of this.#open) socket.fail(transportClosedError());
  }
}

const NOTHING: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** A lost `impersonate-user` would run the command as ourselves. */
function tokenOf({ headers }: TransportRequest): readonly string[] {
  const lost = Object.keys(headers).find((name) => !DISPENSABLE.has(name));
  if (lost !== undefined) throw new TypeError(`a WebSocket of a browser cannot send the header ${lost}`);
  const { authorization } = headers;
  if (authorization === undefined) return [];
  const token = bearerProtocol(String(authorization));
  if (token === undefined) throw new TypeError('a WebSocket of a browser can send a bearer token, and no other login');
  return [token];
}

function openGlobal(url: string, protocols: readonly string[]): MessageWebSocketLike {
  if (typeof globalThis.WebSocket !== 'function') {
    throw new TypeError('there is no global WebSocket here: give the transport one by its option webSocket');
  }
  return new globalThis.WebSocket(url, [...protocols]);
}
