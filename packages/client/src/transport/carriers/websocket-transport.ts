/** Watches over WebSocket, for browsers: they allow six connections of HTTP/1.1 to a server, and hundreds of these. */

import { systemClock } from '@listwatch/api';
import { Exchanges, type TimingOptions } from '../exchange/pending-requests.ts';
import { isWatchRequest } from '../layers/decorate.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { base64url, bearerProtocol } from './bearer-protocol.ts';

/** As much of a WebSocket as is used: that of browsers and that of undici. */
export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  addEventListener(type: 'error' | 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** Begins a handshake. */
export type OpenWebSocket = (url: string, protocols: readonly string[]) => Promise<WebSocketLike> | WebSocketLike;

export interface WebSocketTransportOptions extends TimingOptions {
  /** `https://host:port`, with the path below which the API stands, if there is one. */
  readonly server: string;
  /** What is no watch goes here, and so does a watch whose handshake is refused: a WebSocket does not say why. */
  readonly next: Transport;
  /** Default: the global `WebSocket`. */
  readonly open?: OpenWebSocket | undefined;
  /**
   * Offer `Accept` as a subprotocol, because browsers cannot set headers of a handshake: `base64url.accept.listwatch.` and the
   * value. Only for servers that are known to read it. Default: false; a watch in another form than plain JSON then goes to `next`.
   */
  readonly offerAccept?: boolean | undefined;
  /** What may wait for a slow reader; the sender cannot be held back. Default: 64 MiB. */
  readonly maxBufferedBytes?: number | undefined;
}

/** The token is never answered with: the server needs another name to repeat. */
const WATCH_PROTOCOL = 'watch.listwatch';
/** Where servers of this project look for the value of `Accept`. */
const ACCEPT_PROTOCOL = 'base64url.accept.listwatch.';
const JSON_TYPE = 'application/json';
const NORMAL_CLOSURE = 1000;
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

export function createWebSocketTransport(options: WebSocketTransportOptions): Transport {
  return new WebSocketTransport(options);
}

class WebSocketTransport implements Transport {
  readonly name = 'websocket';
  readonly #base: string;
  readonly #next: Transport;
  readonly #open: OpenWebSocket;
  readonly #maxBufferedBytes: number;
  readonly #offerAccept: boolean;
  readonly #exchanges: Exchanges;

  constructor({
    server,
    next,
    open,
    maxBufferedBytes,
    offerAccept,
    clock = systemClock,
    headersTimeoutMs,
  }: WebSocketTransportOptions) {
    if (!URL.canParse(server)) throw new TypeError(`the server is not a URL: ${server}`);
    this.#base = server.replace(/\/+$/u, '').replace(/^http/u, 'ws');
    this.#next = next;
    this.#open = open ?? openGlobal;
    this.#maxBufferedBytes = maxBufferedBytes ?? MAX_BUFFERED_BYTES;
    this.#offerAccept = offerAccept ?? false;
    this.#exchanges = new Exchanges(clock, headersTimeoutMs);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#exchanges.admit(request);
    const protocols = protocolsOf(request, this.#offerAccept);
    if (protocols === undefined) return this.#next.send(request);
    try {
      return await this.#watch(request, protocols);
    } catch (error) {
      if (!(error instanceof HandshakeRefused)) throw error;
      return this.#next.send(request);
    }
  }

  async close(): Promise<void> {
    this.#exchanges.close();
    await this.#next.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #watch(request: TransportRequest, protocols: readonly string[]): Promise<TransportResponse> {
    const socket = await this.#open(this.#base + request.path, protocols);
    socket.binaryType = 'arraybuffer';
    const backlog = new Backlog();
    const exchange = this.#exchanges.start(request, {
      pause: () => backlog.pause(),
      resume: () => backlog.resume(),
      cancel: () => socket.close(NORMAL_CLOSURE),
    });
    exchange.sent();
    const encoder = new TextEncoder();
    socket.addEventListener('open', () => exchange.head(200, { 'content-type': 'application/json;stream=watch' }));
    socket.addEventListener('message', ({ data }) => {
      const chunk = data instanceof ArrayBuffer ? new Uint8Array(data) : encoder.encode(String(data));
      exchange.data(chunk);
      if (backlog.add(chunk.length) <= this.#maxBufferedBytes) return;
      exchange.stop(new TransportError('CLOSED', `a slow reader let ${backlog.bytes} bytes of a watch pile up`));
    });
    // The close event that follows says what there is to say.
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', ({ code, reason }) => {
      const message = `the WebSocket was closed with ${code} ${reason}`.trimEnd();
      if (exchange.phase === 'waiting') exchange.fail(new HandshakeRefused('CLOSED', message));
      else if (code === NORMAL_CLOSURE) exchange.end();
      else exchange.fail(new TransportError('CLOSED', message));
    });
    return exchange.response;
  }
}

/** The server, or something before it, wants no WebSocket here: asked in plain HTTP it says why, or just answers. */
class HandshakeRefused extends TransportError {}

/** What came while the reader did not keep up. */
class Backlog {
  bytes = 0;
  #paused = false;

  add(length: number): number {
    if (this.#paused) this.bytes += length;
    return this.bytes;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.bytes = 0;
  }
}

/** Headers that a handshake may do without, because they change nothing in what comes. */
const DISPENSABLE: ReadonlySet<string> = new Set(['accept', 'authorization', 'user-agent']);

/**
 * The subprotocols with which a request can go over a WebSocket; undefined if it cannot: no watch, or with headers that
 * would be lost on the way. A lost `impersonate-user` would be answered with what we may see ourselves.
 */
function protocolsOf(request: TransportRequest, offerAccept: boolean): readonly string[] | undefined {
  if (!isWatchRequest(request)) return undefined;
  const { headers } = request;
  const { authorization, accept = JSON_TYPE } = headers;
  const plain = String(accept).startsWith(JSON_TYPE) && !String(accept).includes('as=');
  if ((!plain && !offerAccept) || Object.keys(headers).some((name) => !DISPENSABLE.has(name))) return undefined;
  const offered = plain ? [WATCH_PROTOCOL] : [`${ACCEPT_PROTOCOL}${base64url(String(accept))}`, WATCH_PROTOCOL];
  if (authorization === undefined) return offered;
  const token = bearerProtocol(String(authorization));
  return token === undefined ? undefined : [token, ...offered];
}

function openGlobal(url: string, protocols: readonly string[]): WebSocketLike {
  if (typeof globalThis.WebSocket !== 'function') {
    throw new TypeError('there is no global WebSocket here: give the transport one by its option open');
  }
  return new globalThis.WebSocket(url, [...protocols]);
}
