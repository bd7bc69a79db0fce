/** The door of the console: serves the page, logs browsers in, and passes their requests on. Start here. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  backgroundClock,
  type Clock,
  failure,
  genericFailure,
  isStatusError,
  type StatusError,
  tooManyRequests,
  unauthorized,
} from '@listwatch/api';
import type { ConsoleSession } from '@listwatch/api/console';
import type { ConsoleAsset, ConsoleAssets } from '@listwatch/console';
import type { WebSocket } from 'ws';
import { FORWARDED_METHODS, type Upstream, type UpstreamAnswer, type UpstreamRequest } from './console-upstream.ts';
import { DATA_HEADERS, FILE_HEADERS, sendBytes, sendFailure, sendLoginRefusal } from './door-answer.ts';
import { type DoorRoute, doorRoute } from './door-route.ts';
import { passBack, passBackMessages, refuseHandshake, upstreamHeaders } from './forwarded-request.ts';
import { LoginCodes } from './login-codes.ts';
import { offeredAccept, WATCH_PROTOCOL } from './offered-accept.ts';
import { OpenConnections } from './open-connections.ts';
import { isNavigation, isOwnRequest, type RequestOrigin } from './own-origin.ts';
import { SessionCookies } from './session-cookie.ts';
import { askSessionFacts, type KnownFacts, type SessionFacts } from './session-facts.ts';
import { type DoorAddress, hostText, isTrustedHost } from './trusted-host.ts';
import { readRequestBody } from './written-body.ts';

/** Options of `openConsoleDoor`. */
export interface ConsoleDoorOptions extends DoorAddress {
  readonly upstream: Upstream;
  readonly assets: () => ConsoleAssets;
  readonly facts: KnownFacts;
  /** `read`: every method but GET is refused. */
  readonly access: 'read' | 'write';
  /** Signs cookies. A door with the same key and port knows the cookies of the one before it. */
  readonly key: Uint8Array;
  readonly clock?: Clock | undefined;
  /** Hears why the API could not be asked. Never told of what a request contains. */
  readonly onError: (error: unknown) => void;
}

/** A door that is open. */
export interface ConsoleDoor {
  /** `http://127.0.0.1:6480`. */
  readonly url: string;
  /** A new link: it logs in one browser, once, within ten minutes. */
  link(): string;
  /** Requests and WebSockets that are being answered now. */
  readonly active: number;
  /** Ends at once: the page reconnects when there is a door again. */
  close(): Promise<void>;
}

/** Requests and WebSockets at one time, of all browsers that are logged in. */
const ACTIVE_MAX = 256;
/** A browser sends its headers in one go. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 30_000;
const CHECK_MS = 2000;
/** Cookies of other programs on this host come along. */
const HEADERS_MAX_BYTES = 32 * 1024;
const CLIENT_MESSAGE_MAX_BYTES = 1024;

/** Opens it. Rejects with Node's error when the port is taken. */
export async function openConsoleDoor(options: ConsoleDoorOptions): Promise<ConsoleDoor> {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: HEADERS_MAX_BYTES,
    noDelay: true,
  });
  server.listen({ host: options.address, port: options.port });
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('the console listens on no port');
  return new Door(server, { ...options, port: bound.port });
}

class Door implements ConsoleDoor {
  readonly url: string;
  readonly #server: Server;
  readonly #options: ConsoleDoorOptions;
  readonly #clock: Clock;
  readonly #codes: LoginCodes;
  readonly #cookies: SessionCookies;
  readonly #connections = new OpenConnections();
  #active = 0;
  #assets: ConsoleAssets | undefined;
  #facts: Promise<SessionFacts> | undefined;

  constructor(server: Server, options: ConsoleDoorOptions) {
    const { address, port, key, access, clock = backgroundClock } = options;
    this.url = `http://${hostText(address)}:${port}`;
    this.#server = server;
    this.#options = options;
    this.#clock = clock;
    this.#codes = new LoginCodes(clock);
    this.#cookies = new SessionCookies({ key, access, clock, name: `listwatch-console-${port}` });
    server.on('error', (error) => options.onError(error));
    server.on('connection', (socket: Socket) => this.#connections.add(socket));
    server.on('request', (request, response) => {
      response.on('error', () => response.destroy());
      this.#serve(request, response).catch((error: unknown) => this.#fail(response, error));
    });
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      this.#upgrade(request, socket, head).catch(() => socket.destroy());
    });
  }

  get active(): number {
    return this.#active;
  }

  link(): string {
    return `${this.url}/console/login?code=${this.#codes.make()}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#connections.cutAll();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = this.#admit(request, false);
    switch (route.type) {
      case 'asset':
        return this.#sendFile(request, response, route.path);
      case 'root':
        return sendBytes(response, {
          status: 303,
          headers: { ...DATA_HEADERS, location: '/console/' },
          body: Buffer.alloc(0),
        });
      case 'login':
        return this.#login(request, response, route.code);
      case 'session':
        return this.#sendSession(request, response);
      case 'forwarded':
        return this.#forward(request, response, route.path);
      case 'malformed':
      case 'unknown':
      case 'withheld':
        throw refusalOf(route);
    }
  }

  /** Checks where a request comes from, and says what it asks for. Throws the `StatusError` with which it is refused. */
  #admit(request: IncomingMessage, isUpgrade: boolean): DoorRoute {
    const { host = '' } = request.headers;
    if (!isTrustedHost(host, this.#options)) throw refused(403, 'this address is not the address of the console');
    const route = doorRoute(request.url ?? '');
    const origin = originOf(request, host, isUpgrade);
    const isLink =
      route.type === 'root' || route.type === 'login' || (route.type === 'asset' && route.path === '/console/');
    if (!(isLink && isNavigation(origin)) && !isOwnRequest(origin))
      throw refused(403, 'only the page of the console may send this request');
    return route;
  }

  /** When the login of this request ends. Throws the 401. */
  #requireSession(request: IncomingMessage): number {
    const expiresAt = this.#cookies.check(request.headers.cookie);
    if (expiresAt === undefined)
      throw unauthorized('this browser is not logged in to the console, or no longer: open a new link');
    return expiresAt;
  }

  #sendFile(request: IncomingMessage, response: ServerResponse, path: string): void {
    requireRead(request);
    this.#assets ??= this.#options.assets();
    const asset = this.#assets.get(path);
    if (asset === undefined) throw genericFailure(404);
    const headers = fileHeaders(asset);
    if (request.headers['if-none-match'] === asset.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const gzip = /\bgzip\b/u.test(request.headers['accept-encoding'] ?? '');
    const encoding = gzip ? { 'content-encoding': 'gzip' } : {};
    const type = { 'content-type': asset.contentType, vary: 'accept-encoding' };
    sendBytes(response, {
      status: 200,
      headers: { ...headers, ...type, ...encoding },
      body: gzip ? asset.gzip : asset.body,
    });
  }

  #login(request: IncomingMessage, response: ServerResponse, code: string): void {
    // A browser that looks ahead, or a HEAD, must not use the code up.
    if (request.method !== 'GET' || /prefetch|preview/iu.test(purposeOf(request))) throw genericFailure(405);
    const verdict = this.#codes.take(code);
    if (verdict !== 'right') return sendLoginRefusal(response, verdict === 'limited');
    const headers = { ...DATA_HEADERS, location: '/console/', 'set-cookie': this.#cookies.issue() };
    sendBytes(response, { status: 303, headers, body: Buffer.alloc(0) });
  }

  async #sendSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireRead(request);
    const expiresAt = this.#requireSession(request);
    const session: ConsoleSession = {
      ...(await this.#sessionFacts()),
      write: this.#options.access === 'write',
      // Plain HTTP: all tabs of a browser together have six connections.
      watchOver: 'websocket',
      expiresAt: new Date(expiresAt).toISOString(),
    };
    const headers = { ...DATA_HEADERS, 'content-type': 'application/json' };
    sendBytes(response, { status: 200, headers, body: Buffer.from(JSON.stringify(session)) });
  }

  /** Asked once, unless the server did not answer. */
  async #sessionFacts(): Promise<SessionFacts> {
    this.#facts ??= askSessionFacts(this.#options.upstream, this.#options.facts);
    const facts = await this.#facts;
    if (facts.serverVersion === '') this.#facts = undefined;
    return facts;
  }

  async #forward(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const expiresAt = this.#requireSession(request);
    const method = FORWARDED_METHODS.find((known) => known === request.method);
    if (method !== 'GET') this.#requireWrite(request, method !== undefined);
    if (method === undefined) throw genericFailure(405);
    const { socket } = request;
    await this.#during(expiresAt, response, async (signal) => {
      this.#connections.busy(socket);
      response.once('close', () => this.#connections.idle(socket));
      const body = method === 'GET' ? undefined : await readRequestBody(request);
      const headers = upstreamHeaders((name) => headerOf(request, name));
      await passBack(response, await this.#ask({ method, path, headers, body, signal }));
    });
  }

  #requireWrite(request: IncomingMessage, isKnown: boolean): void {
    if (this.#options.access !== 'write' && request.method !== 'HEAD')
      throw refused(403, 'the console was started for reading only');
    // Other sites cannot send this header without asking first, and nobody answers that.
    if (isKnown && request.headers['x-listwatch-console'] !== '1')
      throw refused(403, 'a write needs the header X-Listwatch-Console');
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const admitted = this.#admitUpgrade(request);
    if (admitted instanceof Error) return refuseHandshake(socket, admitted.httpCode, 'Refused');
    const { path, accept, expiresAt } = admitted;
    this.#connections.busy(request.socket);
    await this.#during(expiresAt, socket, async (signal) => {
      const answer = await this.#ask({ method: 'GET', path, headers: { accept }, signal });
      if (answer.status !== 200) {
        await dropBody(answer);
        return refuseHandshake(socket, answer.status, 'Refused');
      }
      const client = await acceptWebSocket(request, socket, head);
      // What the page sends is dropped. Its end, or the end of its login, ends the request.
      client.on('error', () => client.terminate());
      signal.addEventListener('abort', () => client.terminate(), { once: true });
      try {
        await passBackMessages(client, answer);
      } catch {
        client.terminate();
      }
    });
  }

  #admitUpgrade(request: IncomingMessage): StatusError | { path: string; accept: string; expiresAt: number } {
    try {
      const route = this.#admit(request, true);
      if (route.type !== 'forwarded') throw refusalOf(route);
      const expiresAt = this.#requireSession(request);
      const { headers, method } = request;
      const accept = offeredAccept(headers['sec-websocket-protocol']);
      const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket' && method === 'GET';
      if (!isWebSocket || hasBody(request) || accept === undefined)
        throw refused(400, 'this is no WebSocket handshake');
      return { path: route.path, accept, expiresAt };
    } catch (error) {
      if (isStatusError(error)) return error;
      throw error;
    }
  }

  /** Runs an exchange with the API: bounded in number, ended when the browser goes, and when the login ends. */
  async #during(
    expiresAt: number,
    end: Duplex | ServerResponse,
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#active >= ACTIVE_MAX) {
      if (!('req' in end)) return refuseHandshake(end, 429, 'Too Many Requests');
      throw tooManyRequests('the console has too many requests at one time', 1);
    }
    const gone = new AbortController();
    const cut = (): void => gone.abort();
    const cancel = this.#clock.after(Math.max(0, expiresAt - this.#clock.now()), () => {
      gone.abort();
      end.destroy();
    });
    end.once('close', cut);
    this.#active += 1;
    try {
      await run(gone.signal);
    } finally {
      this.#active -= 1;
      cancel();
      end.off('close', cut);
    }
  }

  async #ask(request: UpstreamRequest): Promise<UpstreamAnswer> {
    try {
      return await this.#options.upstream(request);
    } catch (cause) {
      if (request.signal?.aborted !== true) this.#options.onError(cause);
      // Why is for the terminal: the message of a login program may contain what the page must not see.
      throw refused(503, 'the API server cannot be reached; the terminal of the console says why', { cause });
    }
  }

  #fail(response: ServerResponse, error: unknown): void {
    // A part of the answer is out: cut, it does not look complete.
    if (response.headersSent || response.destroyed) response.destroy();
    else if (isStatusError(error)) sendFailure(response, error);
    else {
      this.#options.onError(error);
      sendFailure(response, genericFailure(500));
    }
  }
}

function refused(code: 400 | 403 | 503, message: string, options?: ErrorOptions): StatusError {
  const reason = { 400: 'BadRequest', 403: 'Forbidden', 503: 'ServiceUnavailable' } as const;
  return failure({ code, reason: reason[code], message }, options);
}

function refusalOf({ type }: DoorRoute): StatusError {
  if (type === 'malformed') return refused(400, 'the path is not one that the console serves');
  if (type === 'withheld')
    return refused(403, 'the console does not run commands, pass through to workloads or make tokens');
  return genericFailure(404);
}

function requireRead({ method }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'HEAD') throw genericFailure(405);
}

function originOf(request: IncomingMessage, host: string, isUpgrade: boolean): RequestOrigin {
  const { method = '' } = request;
  return {
    // A HEAD is to a browser what a GET is.
    method: method === 'HEAD' ? 'GET' : method,
    host,
    origin: headerOf(request, 'origin'),
    site: headerOf(request, 'sec-fetch-site'),
    mode: headerOf(request, 'sec-fetch-mode'),
    dest: headerOf(request, 'sec-fetch-dest'),
    isUpgrade,
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

function purposeOf(request: IncomingMessage): string {
  return `${headerOf(request, 'sec-purpose') ?? ''} ${headerOf(request, 'purpose') ?? ''}`;
}

function fileHeaders({ etag, immutable }: ConsoleAsset): Readonly<Record<string, string>> {
  const cacheControl = immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  return { ...FILE_HEADERS, 'cache-control': cacheControl, etag };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function dropBody({ body }: UpstreamAnswer): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

async function acceptWebSocket(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: CLIENT_MESSAGE_MAX_BYTES,
    handleProtocols: (names) => (names.has(WATCH_PROTOCOL) ? WATCH_PROTOCOL : false),
  });
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('the page has gone')));
    server.handleUpgrade(request, socket, head, resolve);
  });
}
