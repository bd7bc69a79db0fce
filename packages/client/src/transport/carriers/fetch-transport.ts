/** The transport of browsers, and of anything else that has `fetch`. */

import { systemClock } from '@listwatch/api';
import type { Exchange } from '../exchange/pending-request.ts';
import { Exchanges, type TimingOptions } from '../exchange/pending-requests.ts';
import { Gate, pump } from '../exchange/pump.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { isTransportError, TransportError } from '../transport-error.ts';
import { BrowserUpgrades, type OpenMessageWebSocket } from './browser-upgrades.ts';

/** As much of `fetch` as is used. */
export type FetchFunction = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly credentials: 'include' | 'omit' | 'same-origin';
  readonly cache: 'no-store';
  readonly redirect: 'manual';
  readonly body?: Uint8Array;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  readonly body: { getReader(): { read(): Promise<{ readonly value?: Uint8Array | undefined }> } } | null;
}

export interface FetchTransportOptions extends TimingOptions {
  /** `https://host:port`, with the path below which the API stands, if there is one. */
  readonly server: string;
  /** Default: the global one. */
  readonly fetch?: FetchFunction | undefined;
  /** Whether cookies go along. Default: `same-origin`. */
  readonly credentials?: 'include' | 'omit' | 'same-origin' | undefined;
  /** How `exec` and its like open a WebSocket. Default: the global one. */
  readonly webSocket?: OpenMessageWebSocket | undefined;
}

/** TLS options and proxies are those of the browser or of the process; connections are shared as it likes. */
export function createFetchTransport(options: FetchTransportOptions): Transport {
  return new FetchTransport(options);
}

/** The body is copied: browsers refuse bytes of shared memory, and their types refuse bytes that might be. */
const globalFetch: FetchFunction = (url, { body, ...init }) =>
  globalThis.fetch(url, body === undefined ? init : { ...init, body: new Uint8Array(body) });

interface RunningRequest extends TransportRequest {
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

class FetchTransport implements Transport {
  readonly name = 'fetch';
  readonly #base: string;
  readonly #fetch: FetchFunction;
  readonly #credentials: 'include' | 'omit' | 'same-origin';
  readonly #exchanges: Exchanges;
  readonly #upgrades: BrowserUpgrades;

  constructor(options: FetchTransportOptions) {
    const { server, fetch, credentials, clock = systemClock, headersTimeoutMs, webSocket } = options;
    if (!URL.canParse(server)) throw new TypeError(`the server is not a URL: ${server}`);
    this.#base = server.replace(/\/+$/u, '');
    // Called without a receiver: browsers refuse a fetch that is a method of something else.
    this.#fetch = fetch ?? globalFetch;
    this.#credentials = credentials ?? 'same-origin';
    this.#exchanges = new Exchanges(clock, headersTimeoutMs);
    this.#upgrades = new BrowserUpgrades({ base: this.#base, clock, headersTimeoutMs, open: webSocket });
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#exchanges.admit(request);
    if (request.upgrade !== undefined) {
      const opened = await this.#upgrades.open(request, request.upgrade);
      // A browser does not say why a handshake was refused: the same asked in plain HTTP is refused with the reason.
      return opened ?? this.send({ ...request, upgrade: undefined });
    }
    const headers = singleValues(request.headers);
    const controller = new AbortController();
    const gate = new Gate();
    const source = {
      pause: () => gate.pause(),
      resume: () => gate.resume(),
      cancel: () => {
        controller.abort();
        gate.resume();
      },
    };
    const exchange = this.#exchanges.start(request, source);
    exchange.sent();
    void this.#run(exchange, gate, { ...request, headers, signal: controller.signal });
    return exchange.response;
  }

  async close(): Promise<void> {
    this.#exchanges.close();
    this.#upgrades.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #run(exchange: Exchange, gate: Gate, request: RunningRequest): Promise<void> {
    try {
      const { method, path, headers, body, signal } = request;
      const response = await this.#fetch(this.#base + path, {
        method,
        headers,
        signal,
        credentials: this.#credentials,
        // A browser would answer a list from its cache, with a version of yesterday.
        cache: 'no-store',
        // A write that is redirected becomes a read of another server, whose answer would look like the object that was written.
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
      });
      if (response.status === HIDDEN_REDIRECT) throw redirected(request);
      exchange.head(response.status, Object.fromEntries(response.headers));
      const reader = response.body?.getReader();
      const read = async (): Promise<Uint8Array | undefined> => (await reader?.read())?.value;
      await pump(exchange, gate, read, (cause) => new TransportError('CLOSED', 'the answer was cut off', { cause }));
    } catch (error) {
      exchange.fail(isTransportError(error) ? error : noAnswer(request, error));
    }
  }
}

/** Browsers show no more of a redirect: neither its status nor its location. */
const HIDDEN_REDIRECT = 0;

function redirected({ method, path }: TransportRequest): TransportError {
  const advice = 'redirects are not followed; connect to the address that the server redirects to';
  return new TransportError('PROTOCOL', `${method} ${path} was redirected: ${advice}`);
}

/** `fetch` would join several values by commas, and a server would take them for one strange group. */
function singleValues(headers: TransportRequest['headers']): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' && value.length > 1) {
      throw new TypeError(`fetch cannot send ${name} with ${value.length} values`);
    }
    single[name] = String(value);
  }
  return single;
}

/** What the system says when no connection was made. Browsers say nothing. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function noAnswer({ method, path }: TransportRequest, error: unknown): TransportError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  const detail = cause instanceof Error && cause.message !== '' ? cause.message : String(code ?? error);
  // Where nothing is known, a write may have been carried out: only a read may be taken for never sent.
  const connect = NOT_CONNECTED.has(code) || (code === undefined && method === 'GET');
  return new TransportError(connect ? 'CONNECT' : 'CLOSED', `${method} ${path} was not answered: ${detail}`, {
    cause: error,
  });
}
