/** HTTP/2 on Node: all exchanges share one session, or a few where the server limits the streams of one. */

import { type ClientHttp2Stream, constants } from 'node:http2';
import { TLSSocket } from 'node:tls';
import { type Clock, systemClock } from '@listwatch/api';
import { abortable } from '@listwatch/api/internal';
import { dial, type SocketOptions } from '../dial/dial.ts';
import type { Exchange } from '../exchange/pending-request.ts';
import { Exchanges, type TimingOptions, transportClosedError } from '../exchange/pending-requests.ts';
import type { SocketTransport } from '../socket-transport.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { isTransportError, TransportError } from '../transport-error.ts';
import { Http2Connection } from './http2-connection.ts';
import { joinedHeaders, mutableHeaders } from './joined-headers.ts';
import { socketGathering } from './socket-gathering.ts';
import { WebSocketUpgrades } from './websocket-upgrades.ts';

export interface Http2TransportOptions extends SocketOptions, TimingOptions {
  /** Silence, while something is waited for, after which the server is pinged. Default: 30 000. */
  readonly pingAfterMs?: number | undefined;
  /** How long it may take to answer; then the session is given up. Default: 15 000. */
  readonly pongWithinMs?: number | undefined;
}

export function createHttp2Transport(options: Http2TransportOptions): SocketTransport {
  return new Http2Transport(options);
}

/** A request that the server refused unseen goes out again; one that always refuses must not be asked for ever. */
const ATTEMPTS = 3;

class Http2Transport implements SocketTransport {
  readonly name = 'http/2';
  readonly #options: Http2TransportOptions;
  readonly #clock: Clock;
  readonly #exchanges: Exchanges;
  /** Connections of their own, over HTTP/1.1: API servers take no WebSocket in a stream of HTTP/2. */
  readonly #upgrades: WebSocketUpgrades;
  readonly #url: URL;
  readonly #prefix: string;
  /** Those that take requests. */
  readonly #connections = new Set<Http2Connection>();
  /** All that are not gone, for `close`. */
  readonly #all = new Set<Http2Connection>();
  #opening: Promise<void> | undefined;
  /** Ends a connection that is being made: a handshake that is not answered would hold `close` up for half a minute. */
  readonly #closing = new AbortController();

  constructor(options: Http2TransportOptions) {
    this.#url = new URL(options.server);
    this.#prefix = this.#url.pathname.replace(/\/+$/u, '');
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#exchanges = new Exchanges(this.#clock, options.headersTimeoutMs);
    this.#upgrades = new WebSocketUpgrades(options);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    for (let attempt = 1; ; attempt += 1) {
      this.#exchanges.admit(request);
      try {
        if (request.upgrade !== undefined) return await this.#upgrades.open(request, request.upgrade);
        return await this.#sendOnce(request);
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof StreamRefused)) throw error;
      }
    }
  }

  reconnect(): void {
    for (const connection of this.#connections) connection.drain();
  }

  async close(): Promise<void> {
    this.#exchanges.close();
    this.#upgrades.close();
    this.#closing.abort(transportClosedError());
    await this.#opening?.catch(() => {});
    await Promise.all([...this.#all].map((connection) => connection.destroy()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #sendOnce(request: TransportRequest): Promise<TransportResponse> {
    for (;;) {
      for (const connection of this.#connections) {
        // Looked at and taken in one go: with an await between, a hundred waiting requests would take the same last place.
        if (connection.available) return this.#start(request, connection);
      }
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined;
      });
      await abortable(this.#opening, request.signal);
      this.#exchanges.admit(request);
    }
  }

  #start(request: TransportRequest, connection: Http2Connection): Promise<TransportResponse> {
    let stream: ClientHttp2Stream;
    try {
      stream = connection.request(
        { ...mutableHeaders(request.headers), ':method': request.method, ':path': this.#prefix + request.path },
        request.body,
      );
    } catch (cause) {
      connection.drain();
      throw new StreamRefused('the session ended before the request was sent', { cause });
    }
    const exchange = this.#exchanges.start(request, {
      pause: () => stream.pause(),
      resume: () => stream.resume(),
      cancel: () => stream.close(constants.NGHTTP2_CANCEL),
      gather: socketGathering,
    });
    exchange.sent();
    listen(stream, exchange, connection);
    return exchange.response;
  }

  async #open(): Promise<void> {
    // Both are offered, although only one will do: some servers hang up on a client that offers nothing they have.
    const { signal } = this.#closing;
    const socket = await dial({ ...this.#options, clock: this.#clock, alpn: ['h2', 'http/1.1'], signal });
    try {
      if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2') throw new Http2Unsupported(this.#url.origin);
      const connection: Http2Connection = await Http2Connection.open(socket, {
        clock: this.#clock,
        authority: this.#url.origin,
        pingAfterMs: this.#options.pingAfterMs,
        pongWithinMs: this.#options.pongWithinMs,
        onUnavailable: () => this.#connections.delete(connection),
        onGone: () => this.#all.delete(connection),
      });
      this.#all.add(connection);
      if (signal.aborted) await connection.destroy();
      else this.#connections.add(connection);
    } catch (error) {
      socket.destroy();
      if (error instanceof Http2Unsupported) throw error;
      const detail = error instanceof Error ? error.message : String(error);
      throw new TransportError('CONNECT', `no HTTP/2 session with ${this.#url.origin}: ${detail}`, { cause: error });
    }
  }
}

/** The server chose another protocol. Nothing was sent. */
export class Http2Unsupported extends TransportError {
  constructor(origin: string) {
    super('CONNECT', `${origin} does not speak HTTP/2: choose HTTP/1.1 for it`);
    this.name = 'TransportError';
  }
}

/** The server has not looked at the request: it can go out again, whatever it is. */
class StreamRefused extends TransportError {
  constructor(message: string, options?: ErrorOptions) {
    super('CONNECT', message, options);
    this.name = 'TransportError';
  }
}

function listen(stream: ClientHttp2Stream, exchange: Exchange, connection: Http2Connection): void {
  let cause: Error | undefined;
  stream.on('response', (headers) => {
    connection.heard();
    exchange.head(Number(headers[':status']), joinedHeaders(headers));
    if (exchange.phase === 'reading') {
      stream.on('data', (chunk: Buffer) => {
        connection.heard();
        exchange.data(chunk);
      });
    }
  });
  // Node ends the readable side of a stream that was cut off, too, and of all streams of a session that is destroyed;
  // taken for a whole answer, half a list would replace a whole cache.
  stream.on('end', () => {
    const whole = stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted && cause === undefined;
    if (whole && connection.alive) exchange.end();
  });
  stream.on('error', (error: Error) => {
    cause = error;
  });
  stream.on('close', () => exchange.fail(brokenBy(stream, exchange, connection, cause)));
}

function brokenBy(
  { rstCode }: ClientHttp2Stream,
  exchange: Exchange,
  { verdict }: Http2Connection,
  cause: Error | undefined,
): TransportError {
  if (verdict !== undefined) {
    // Unanswered, it is a connection that broke: a read may be sent again, as after any other break.
    return exchange.phase === 'reading' ? verdict : new TransportError('CLOSED', verdict.message, { cause: verdict });
  }
  if (exchange.phase === 'waiting' && rstCode === constants.NGHTTP2_REFUSED_STREAM) {
    return new StreamRefused('the server refused the stream before it looked at it', { cause });
  }
  if (isTransportError(cause)) return cause;
  const detail = cause?.message ?? `the stream was closed with code ${rstCode}`;
  return new TransportError('CLOSED', `the connection broke: ${detail}`, { cause });
}
