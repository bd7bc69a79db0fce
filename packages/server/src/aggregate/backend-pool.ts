/** Connections to the backend of one APIService: kept open between requests, and bounded. */

import type { ClientRequest } from 'node:http';
import { Agent } from 'node:https';
import { isIP } from 'node:net';
import { tooManyRequests } from '@listwatch/api';
import { isLoopbackAddress, isOwnAddress, isSpecialAddress } from '../forward/allowed-address.ts';
import { checkedLookup, NameQuestions } from '../forward/checked-lookup.ts';
import {
  exchangeHttp,
  type HttpAnswer,
  retireAgent,
  StaleConnection,
  UnsentRequest,
} from '../forward/http-exchange.ts';
import type { AggregationConfig, FrontProxyPair } from './aggregation-options.ts';
import type { RemoteApiService } from './api-service-view.ts';
import type { BackendAddress } from './backend-address.ts';
import { BackendError, backendReason } from './backend-error.ts';

/** Idle connections of one backend. */
const MAX_IDLE = 16;
const IDLE_MS = 90_000;
const CONNECT_MS = 10_000;
/** Go gives up at the same number. Without an end they would keep the loop busy, and the head never comes. */
const MAX_INTERIM_ANSWERS = 5;
/** Asked twice they do no harm. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request to a backend. */
export interface BackendRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names and values in turn. `Host` is set here. */
  readonly headers: readonly string[];
  readonly signal: AbortSignal;
  /** Sends the body and ends the request. Default: there is none. */
  readonly send?: ((request: ClientRequest) => void) | undefined;
  /** The protocol changes: a connection of its own. Default: no. */
  readonly upgrades?: boolean | undefined;
}

export interface BackendPoolParts {
  readonly config: AggregationConfig;
  /** The ports that this server listens on. */
  readonly ownPorts: () => readonly number[];
}

/** Sends requests. One for each backend: a slow one uses up only its own places. */
export class BackendPool {
  readonly service: RemoteApiService;
  readonly #parts: BackendPoolParts;
  #agent: Agent | undefined;
  #client: FrontProxyPair | undefined;
  #places = 0;
  #refused = 0;
  readonly #names = new NameQuestions();

  constructor(service: RemoteApiService, parts: BackendPoolParts) {
    this.service = service;
    this.#parts = parts;
  }

  get open(): number {
    return this.#places;
  }

  get refused(): number {
    return this.#refused;
  }

  get serverName(): string {
    const { name, namespace } = this.service.service;
    return `${name}.${namespace}.svc`;
  }

  /** Takes a place among the requests of the backend; throws the 429 when all are taken. The function gives it back. */
  enter(): () => void {
    const { maxRequestsPerBackend } = this.#parts.config;
    if (this.#places >= maxRequestsPerBackend) {
      this.#refused += 1;
      throw tooManyRequests(`${this.#places} requests to ${this.service.name} are open, please try again later`, 1);
    }
    this.#places += 1;
    let isLeft = false;
    return () => {
      if (!isLeft) this.#places -= 1;
      isLeft = true;
    };
  }

  /** Rejects with a `BackendError`, or with the signal's reason. */
  async send(address: BackendAddress, request: BackendRequest): Promise<HttpAnswer> {
    try {
      return await this.#exchange(address, request, request.upgrades === true);
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof StaleConnection)) throw error;
      if (!REPEATABLE.has(request.method)) throw new BackendError('unreachable', 'EOF', { cause: error });
      // The backend has closed an idle connection at the moment of its use. All that are idle may be closed: a new one.
      return this.#exchange(address, request, true);
    }
  }

  /** Closes idle connections. Requests that are under way keep theirs to their end. */
  retire(): void {
    if (this.#agent !== undefined) retireAgent(this.#agent);
    this.#agent = undefined;
  }

  #exchange(address: BackendAddress, request: BackendRequest, isAlone: boolean): Promise<HttpAnswer> {
    const { method, path, headers, signal, send, upgrades = false } = request;
    const { host, port } = address;
    const agent = isAlone ? this.#newAgent(false) : this.#sharedAgent();
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const place = { host, port, serverName: this.serverName };
    if (isIP(host) !== 0) this.#checkAddress(host, address);
    return exchangeHttp({
      options: {
        agent,
        host,
        port,
        method,
        path,
        lookup: checkedLookup((found) => this.#checkAddress(found, address), this.#names),
        headers: ['Host', authority, ...headers],
      },
      secure: true,
      signal,
      connectMs: CONNECT_MS,
      maxInterim: MAX_INTERIM_ANSWERS,
      upgrades,
      send,
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof StaleConnection || error instanceof BackendError) throw error;
      if (!(error instanceof UnsentRequest)) {
        throw new BackendError('unreachable', backendReason(error, place), { cause: error });
      }
      const { cause, message } = error;
      const isHeader = cause instanceof TypeError && 'code' in cause && cause.code === 'ERR_INVALID_CHAR';
      throw new BackendError(isHeader ? 'unreachable' : 'configuration', message, { cause });
    });
  }

  #sharedAgent(): Agent {
    const client = this.#parts.config.proxyClient?.();
    if (this.#agent !== undefined && client === this.#client) return this.#agent;
    this.retire();
    this.#client = client;
    this.#agent = this.#newAgent(true);
    return this.#agent;
  }

  #newAgent(keepAlive: boolean): Agent {
    const { caBundle, insecureSkipTlsVerify } = this.service;
    const { cert, key } = this.#parts.config.proxyClient?.() ?? {};
    return new Agent({
      keepAlive,
      maxFreeSockets: MAX_IDLE,
      timeout: IDLE_MS,
      noDelay: true,
      servername: this.serverName,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: !insecureSkipTlsVerify,
      ...(caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64').toString('latin1') }),
      ...(cert === undefined ? {} : { cert, key }),
    });
  }

  /** Whoever writes Services could else have this server connect to itself, or to what only this machine may reach. */
  #checkAddress(address: string, { port, isExternal }: BackendAddress): void {
    const { config, ownPorts } = this.#parts;
    const isOwnPort = [...ownPorts(), ...config.refusedPorts()].includes(port) && isOwnAddress(address);
    if (isOwnPort || (isSpecialAddress(address) && !(isExternal && isLoopbackAddress(address)))) {
      throw new BackendError('unreachable', 'address not allowed');
    }
  }
}
