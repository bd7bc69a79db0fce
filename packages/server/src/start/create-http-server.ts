/** The HTTP server: one TLS port for HTTP/1.1, HTTP/2 and WebSocket, and a graceful end. Start here. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { Registry } from 'prom-client';
import { registerFlowMetrics } from '../access/flow/flow-metrics.ts';
import { Impersonator } from '../access/impersonator.ts';
import { InFlight } from '../access/in-flight.ts';
import { RequestMetrics } from '../access/request-metrics.ts';
import { LINGER_MS, type Reply } from '../contract/reply.ts';
import { builtInEndpoints } from '../route/built-in-endpoints.ts';
import { Health } from '../route/health.ts';
import { requestKeeper } from '../route/held-request.ts';
import { createPipeline } from '../route/pipeline.ts';
import { boundAddress } from '../wire/bound-address.ts';
import { registerConnectionMetrics } from '../wire/connection-metrics.ts';
import { Http1Endpoint, type Serve } from '../wire/http1-endpoint.ts';
import { Http2Endpoint } from '../wire/http2/http2-endpoint.ts';
import {
  incomingLoopback,
  type LoopbackOptions,
  type LoopbackRequest,
  type LoopbackResponse,
} from '../wire/loopback/loopback.ts';
import { LoopbackError } from '../wire/loopback/loopback-error.ts';
import { LoopbackReply } from '../wire/loopback/loopback-reply.ts';
import type { NodeRequest } from '../wire/mounted-reply.ts';
import type { ConnectionCuts } from '../wire/read-deadline.ts';
import { createRequestListener, type RequestListener, type RequestListenerOptions } from '../wire/request-listener.ts';
import { nextShutdownState, type ShutdownState } from '../wire/shutdown-state.ts';
import { TrustedRoots } from '../wire/trusted-roots.ts';
import {
  type HttpServerConfig,
  type HttpServerOptions,
  httpServerConfig,
  type TlsOptions,
} from './http-server-options.ts';

/** The addresses that a server listens on. */
export interface HttpServerAddress {
  readonly host: string;
  readonly port: number;
  /** `https://host:port`. */
  readonly url: string;
  /** `http://127.0.0.1:port`, when there is a listener without TLS. */
  readonly insecureUrl: string | undefined;
}

/** Which port a connection came by: with TLS or without. */
export type ClientDoor = 'plain' | 'tls';

/** The number of running requests of each kind, and of open connections. */
export interface HttpServerLoad {
  readonly reads: number;
  readonly mutating: number;
  readonly watches: number;
  readonly connections: number;
}

/** A server. `listen` can be called once; in-process requests do not need it. */
export interface HttpServer {
  /** Starts to listen. Rejects with Node's error when the port is taken or not permitted, and with a `TypeError` without TLS. */
  listen(): Promise<HttpServerAddress>;
  /**
   * Answers an in-process request like a request from a socket. Rejects with a `LoopbackError` when the server is closed, or
   * closes before the head of the answer is known, and with the signal's reason when the signal is aborted first.
   */
  handle(request: LoopbackRequest, options?: LoopbackOptions): Promise<LoopbackResponse>;
  /** Answers requests that another HTTP server has accepted. */
  requestListener<R extends NodeRequest = NodeRequest>(options?: RequestListenerOptions<R>): RequestListener<R>;
  /** Undefined before `listen` has resolved. */
  readonly address: HttpServerAddress | undefined;
  /** Health checks; they can be added and removed while the server runs. */
  readonly health: Health;
  /** See `ProcessServer`. */
  takeReader(socket: Socket, secret: Buffer): void;
  /** See `ProcessServer`. */
  takeClient(socket: Socket, door: ClientDoor): void;
  /** The number of answers by verb and code (`LIST 200`). */
  requestCounts(): ReadonlyMap<string, number>;
  /** Metrics registered here are shown by `/metrics`. */
  readonly registry: Registry;
  readonly load: HttpServerLoad;
  readonly state: ShutdownState;
  /**
   * Ends gracefully: `/readyz` fails at once; after the shutdown delay the server accepts no connections and requests and ends
   * its watches; running requests may finish. A second call closes all connections. Resolves when everything is closed.
   */
  close(): Promise<void>;
}

/** Makes a server. Throws a `TypeError` or a `RangeError` for invalid options. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  return new NodeHttpServer(httpServerConfig(options));
}

class NodeHttpServer implements HttpServer {
  readonly health: Health = new Health();
  readonly #config: HttpServerConfig;
  readonly #inFlight: InFlight;
  readonly #metrics: RequestMetrics;
  readonly #serve: Serve;
  readonly #tls: TlsServer | undefined;
  readonly #http1: Http1Endpoint;
  readonly #http2: Http2Endpoint;
  /** All TCP connections, including those in a TLS handshake. */
  readonly #connections = new Set<Socket>();
  readonly #cuts: ConnectionCuts = { unread: 0, stalled: 0, resetting: 0 };
  /** Connections that are ready for HTTP; of a TLS connection this is the TLS socket. */
  readonly #ready = new Set<Socket>();
  readonly #replies = new Set<Reply>();
  readonly #quiet = new Set<() => void>();
  #state: ShutdownState = 'serving';
  #address: HttpServerAddress | undefined;
  #closed: Promise<void> | undefined;
  #endDelay: () => void = () => {};
  #hasTimeouts = false;

  constructor(config: HttpServerConfig) {
    this.#config = config;
    this.#inFlight = new InFlight({
      // Seats of flow control take their place.
      read: config.flowControl === undefined ? config.maxReadsInFlight : 0,
      mutating: config.flowControl === undefined ? config.maxMutatingInFlight : 0,
      watch: config.maxWatches,
    });
    this.#metrics = new RequestMetrics(this.#inFlight, config.registry);
    this.health.add({ name: 'shutdown', endpoints: ['readyz'], check: () => this.#checkShutdown() });
    for (const check of config.healthChecks) this.health.add(check);
    const impersonator = new Impersonator(config.authorizer, (error) =>
      config.onError(error, { method: '', target: 'impersonation', auditId: '' }),
    );
    impersonator.register(config.registry);
    if (config.flowControl !== undefined) registerFlowMetrics(config.registry, config.flowControl);
    const pipeline = createPipeline({
      ...config,
      impersonator,
      openRequests: config.openRequests && requestKeeper(config.openRequests, { ...config, impersonator }),
      isDraining: () => this.#state === 'draining' || this.#state === 'closed',
      inFlight: this.#inFlight,
      builtIns: builtInEndpoints({ ...config, health: this.health }),
      metrics: this.#metrics,
    });
    const serve: Serve = (incoming, reply) => {
      this.#replies.add(reply);
      reply.onClose(() => {
        this.#replies.delete(reply);
        if (this.#replies.size === 0) for (const listener of this.#quiet) listener();
      });
      return pipeline(incoming, reply);
    };
    this.#serve = serve;
    const endpoint = {
      ...config,
      trustedRoots: config.tls?.requestHeaderCa === undefined ? undefined : new TrustedRoots(config.tls),
      cuts: this.#cuts,
      onConnectionError: this.#onConnectionError,
    };
    this.#http1 = new Http1Endpoint(endpoint, serve);
    this.#http2 = new Http2Endpoint(endpoint, serve);
    registerConnectionMetrics(config.registry, {
      cuts: this.#cuts,
      connections: () => this.#connections.size,
      unreadBytes: () => this.#unreadBytes(),
    });
    this.#tls = config.tls === undefined ? undefined : this.#createTls(config.tls);
    this.#http1.onPlainConnection((socket) => {
      track(this.#connections, socket);
      track(this.#ready, socket);
    });
  }

  get address(): HttpServerAddress | undefined {
    return this.#address ?? this.#config.listensAt?.();
  }

  get registry(): Registry {
    return this.#config.registry;
  }

  requestCounts(): ReadonlyMap<string, number> {
    return this.#metrics.counts();
  }

  get state(): ShutdownState {
    return this.#state;
  }

  get load(): HttpServerLoad {
    const { read, mutating, watch } = this.#inFlight.counts;
    return { reads: read, mutating, watches: watch, connections: this.#connections.size };
  }

  async handle(request: LoopbackRequest, options: LoopbackOptions = {}): Promise<LoopbackResponse> {
    request.signal?.throwIfAborted();
    if (this.#state === 'closed') throw new LoopbackError('CONNECT', 'the server has ended');
    const reply = new LoopbackReply(request);
    void this.#serve(incomingLoopback(request, options), reply);
    return reply.response;
  }

  takeReader(socket: Socket, secret: Buffer): void {
    track(this.#connections, socket);
    track(this.#ready, socket);
    this.#http1.takeReader(socket, secret);
    this.#startTimeouts();
  }

  takeClient(socket: Socket, door: ClientDoor): void {
    // As a port that is closed: the client tries again, and another process answers.
    if (this.#state === 'draining' || this.#state === 'closed') {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    this.#startTimeouts();
    if (door === 'plain') this.#http1.take(socket);
    else this.#tls?.emit('connection', socket);
  }

  requestListener<R extends NodeRequest>(options?: RequestListenerOptions<R>): RequestListener<R> {
    const { clock, readTimeoutMs, onError } = this.#config;
    const report = (error: unknown, { method = '', url = '' }: NodeRequest): void =>
      onError(error, { method, target: url, auditId: '' });
    const parts = { serve: this.#serve, clock, readTimeoutMs, cuts: this.#cuts, onError: report };
    return createRequestListener(parts, options);
  }

  async listen(): Promise<HttpServerAddress> {
    const { host, port, insecurePort } = this.#config;
    const tls = this.#tls;
    if (tls === undefined) throw new TypeError('tls needs a cert and a key before this server can listen');
    if (this.#address !== undefined || this.#state !== 'serving')
      throw new TypeError('this server has listened already');
    tls.listen({ host, port, backlog: BACKLOG });
    await once(tls, 'listening');
    tls.on('error', this.#onConnectionError);
    let insecureUrl: string | undefined;
    try {
      insecureUrl = insecurePort === undefined ? undefined : await this.#http1.listen(insecurePort);
    } catch (error) {
      tls.close();
      throw error;
    }
    this.#startTimeouts();
    const bound = boundAddress(tls);
    const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
    this.#address = { host: bound.address, port: bound.port, url: `https://${name}:${bound.port}`, insecureUrl };
    return this.#address;
  }

  close(): Promise<void> {
    this.#state = nextShutdownState(this.#state, 'close');
    if (this.#state === 'closed') this.#cutAll();
    this.#closed ??= this.#drain();
    return this.#closed;
  }

  async #drain(): Promise<void> {
    const { clock, shutdownDelayMs, drainTimeoutMs } = this.#config;
    if (shutdownDelayMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = clock.after(shutdownDelayMs, resolve);
        this.#endDelay = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#state = nextShutdownState(this.#state, 'delayOver');
    const stopped = new Promise<void>((resolve) => {
      // Ignore it: the listener was never started.
      if (this.#tls === undefined) resolve();
      else this.#tls.close(() => resolve());
    });
    const insecureStopped = this.#http1.stopListening();
    for (const reply of this.#replies) reply.endWatch();
    this.#config.onDrain();
    this.#http1.closeIdle();
    this.#http2.close();
    await this.#allAnswered(drainTimeoutMs);
    await this.#endAll();
    this.#state = nextShutdownState(this.#state, 'drained');
    this.#cutAll();
    await Promise.all([stopped, insecureStopped, ...[...this.#ready, ...this.#connections].map(closed)]);
  }

  /** Resolves when no request is left, or after the time limit. */
  async #allAnswered(timeoutMs: number): Promise<void> {
    if (this.#replies.size === 0 || this.#state === 'closed') return;
    await new Promise<void>((resolve) => {
      const cancel = this.#config.clock.after(timeoutMs, resolve);
      this.#quiet.add(() => {
        cancel();
        resolve();
      });
    });
  }

  /** Closes connections after their buffered bytes are sent: a finished answer may not be on the wire yet. */
  async #endAll(): Promise<void> {
    if (this.#state === 'closed') return;
    const cancel = this.#config.clock.after(LINGER_MS, () => this.#cutAll());
    const sockets = [...this.#ready];
    for (const socket of sockets) socket.destroySoon();
    await Promise.all(sockets.map(closed));
    cancel();
  }

  #cutAll(): void {
    this.#endDelay();
    for (const listener of this.#quiet) listener();
    // Closing a socket ends its replies; in-process requests have no socket and are ended here.
    for (const reply of this.#replies) reply.cut();
    for (const socket of [...this.#ready, ...this.#connections]) socket.destroy();
  }

  #createTls(options: TlsOptions): TlsServer {
    const { cert, key, clientCa, requestHeaderCa } = options;
    const authorities = [clientCa, requestHeaderCa].filter((pem) => pem !== undefined).map(String);
    const server = createTlsServer({
      cert,
      key,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: this.#config.handshakeTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      noDelay: true,
      minVersion: 'TLSv1.2',
      // An untrusted client certificate does not end the connection: the request gets a 401 with a Status.
      ...(authorities.length === 0 ? {} : { ca: authorities, requestCert: true, rejectUnauthorized: false }),
    });
    server.on('connection', (socket) => track(this.#connections, socket));
    // Node keeps a connection open after a handshake timeout: silent clients could use up all sockets.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('secureConnection', (socket: TLSSocket) => {
      track(this.#ready, socket);
      if (socket.alpnProtocol === 'h2') this.#http2.take(socket);
      else this.#http1.take(socket);
    });
    return server;
  }

  /** Bytes that were written and have not left this process. */
  #unreadBytes(): number {
    let bytes = this.#http2.unreadBytes();
    for (const socket of this.#ready) bytes += socket.writableLength;
    return bytes;
  }

  /** Once: Node's clock for slow clients begins anew each time. */
  #startTimeouts(): void {
    if (this.#hasTimeouts) return;
    this.#hasTimeouts = true;
    this.#http1.startTimeouts();
  }

  /** Reports a connection that could not be accepted; the server goes on. */
  readonly #onConnectionError = (error: unknown): void => {
    this.#config.onError(error, { method: '', target: '', auditId: '' });
  };

  #checkShutdown(): void {
    if (this.#state !== 'serving') throw new Error('process is shutting down');
  }
}

function track(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

/** TCP keep-alive detects dead peers of watches that are silent for long. */
const TCP_KEEP_ALIVE_MS = 30_000;
/** Thousands of watchers may reconnect at the same moment. The system caps the value. */
const BACKLOG = 4096;
