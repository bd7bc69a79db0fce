/** HTTP/1.1 on Node: kept-alive sockets, one for each exchange that is under way. */

import { type Clock, ListWatchError, systemClock } from '@listwatch/api';
import type { Agent, Dispatcher } from 'undici';
import { dial, type SocketOptions } from '../dial/dial.ts';
import type { Exchange } from '../exchange/pending-request.ts';
import { Exchanges, type TimingOptions } from '../exchange/pending-requests.ts';
import type { SocketTransport } from '../socket-transport.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { joinedHeaders, mutableHeaders } from './joined-headers.ts';
import { socketGathering } from './socket-gathering.ts';
import { WebSocketUpgrades } from './websocket-upgrades.ts';

export interface Http1TransportOptions extends SocketOptions, TimingOptions {
  /** Sockets at once. Default: no limit, for every watch holds one. */
  readonly maxSockets?: number | undefined;
}

/** Below the 90 seconds after which API servers close an idle connection, so that we are the first to let go of it. */
const KEEP_ALIVE_MS = 60_000;

export function createHttp1Transport(options: Http1TransportOptions): SocketTransport {
  return new Http1Transport(options);
}

class Http1Transport implements SocketTransport {
  readonly name = 'http/1.1';
  readonly #options: Http1TransportOptions;
  readonly #clock: Clock;
  readonly #exchanges: Exchanges;
  readonly #upgrades: WebSocketUpgrades;
  readonly #origin: string;
  readonly #prefix: string;
  #agent: Promise<Agent> | undefined;
  readonly #retired = new Set<Promise<Agent>>();
  /** Ends connections that are being made: a handshake that is not answered would hold `close` up for half a minute. */
  readonly #closing = new AbortController();

  constructor(options: Http1TransportOptions) {
    const url = new URL(options.server);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/u, '');
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#exchanges = new Exchanges(this.#clock, options.headersTimeoutMs);
    this.#upgrades = new WebSocketUpgrades(options);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#exchanges.admit(request);
    if (request.upgrade !== undefined) return this.#upgrades.open(request, request.upgrade);
    let controller: Dispatcher.DispatchController | undefined;
    const source = {
      pause: () => controller?.pause(),
      resume: () => controller?.resume(),
      cancel: () => controller?.abort(new Error('ended by the client')),
      gather: socketGathering,
    };
    const exchange = this.#exchanges.start(request, source);
    void this.#dispatch(request, exchange, (given) => {
      controller = given;
      // Aborted while it waited for its socket: undici has no handle on a request before it starts.
      if (exchange.phase === 'over') source.cancel();
    });
    return exchange.response;
  }

  reconnect(): void {
    const agent = this.#agent;
    this.#agent = undefined;
    if (agent === undefined) return;
    this.#retired.add(agent);
    // One that could not be made, for a certificate that is wrong, has told those who waited for it.
    const forget = (): void => void this.#retired.delete(agent);
    void agent.then((old) => old.close()).then(forget, forget);
  }

  async close(): Promise<void> {
    this.#exchanges.close();
    this.#upgrades.close();
    this.#closing.abort();
    const agents = [...this.#retired, this.#agent];
    this.#agent = undefined;
    for (const agent of agents) await (await agent)?.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #dispatch(
    request: TransportRequest,
    exchange: Exchange,
    onStart: (controller: Dispatcher.DispatchController) => void,
  ): Promise<void> {
    try {
      this.#agent ??= this.#createAgent();
      const agent = await this.#agent;
      agent.dispatch(
        {
          origin: this.#origin,
          path: this.#prefix + request.path,
          method: request.method,
          headers: mutableHeaders(request.headers),
          body: request.body ?? null,
        },
        handlerOf(exchange, onStart),
      );
    } catch (error) {
      exchange.fail(failure(error));
    }
  }

  async #createAgent(): Promise<Agent> {
    // Loaded when it is first needed: it is most of what importing this package would cost.
    const undici = await import('undici');
    const options = { ...this.#options, clock: this.#clock, alpn: ['http/1.1'], signal: this.#closing.signal };
    return new undici.Agent({
      connections: this.#options.maxSockets ?? null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Time limits are the exchange's, which has the clock.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_, report) => {
        dial(options).then(
          (socket) => report(null, socket),
          (error: unknown) => report(failure(error), null),
        );
      },
    });
  }
}

function handlerOf(
  exchange: Exchange,
  onStart: (controller: Dispatcher.DispatchController) => void,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) => {
      onStart(controller);
      exchange.sent();
    },
    onResponseStart: (_, status, headers) => {
      if (status >= 200) exchange.head(status, joinedHeaders(headers));
    },
    onResponseData: (_, chunk) => exchange.data(chunk),
    onResponseEnd: () => exchange.end(),
    onResponseError: (_, error) => exchange.fail(failure(error)),
  };
}

function failure(error: unknown): ListWatchError {
  if (error instanceof ListWatchError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const malformed = error instanceof Error && error.name === 'HTTPParserError';
  return malformed
    ? new TransportError('PROTOCOL', `the server does not speak HTTP/1.1: ${detail}`, { cause: error })
    : new TransportError('CLOSED', `the connection broke: ${detail}`, { cause: error });
}
