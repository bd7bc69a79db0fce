/** The HTTP server: one TLS port for HTTP/1.1, HTTP/2 and WebSocket, and a graceful end. Start here. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { Registry } from 'prom-client';
import { InFlight } from '../access/in-flight.ts';
import { RequestMetrics } from '../access/request-metrics.ts';
import { LINGER_MS, type Reply } from '../contract/reply.ts';
import { builtInEndpoints } from '../route/built-in-endpoints.ts';
import { Health } from '../route/health.ts';
import { createPipeline } from '../route/pipeline.ts';
import { boundAddress } from '../wire/bound-address.ts';
import { registerConnectionMetrics } from '../wire/connection-metrics.ts';
import { Http1Endpoint, type Serve } from '../wire/http1-endpoint.ts';
import { Http2Endpoint } from '../wire/http2-endpoint.ts';
import {
  incomingLoopback,
  type LoopbackOptions,
  type LoopbackRequest,
  type LoopbackResponse,
} from '../wire/loopback.ts';
import { LoopbackError } from '../wire/loopback-error.ts';
import { LoopbackReply } from '../wire/loopback-reply.ts';
import type { NodeRequest } from '../wire/mounted-reply.ts';
import type { ConnectionCuts } from '../wire/read-deadline.ts';
import { createRequestListener, type RequestListener, type RequestListenerOptions } from '../wire/request-listener.ts';
import { nextShutdownState, type ShutdownState } from '../wire/shutdown-state.ts';
import {
  type HttpServerConfig,
  type HttpServerOptions,
  httpServerConfig,
  type TlsOptions,
} from './http-server-options.ts';

/** Where a server listens. */
export interface HttpServerAddress {
  readonly host: string;
  readonly port: number;
  /** `https://host:port`. */
  readonly url: string;
  /** `http://127.0.0.1:port`, when there is a listener without TLS. */
  readonly insecureUrl: string | undefined;
}

/** The requests of each kind that are being worked on, and the open connections. */
export interface HttpServerLoad {
  readonly reads: number;
  readonly mutating: number;
  readonly watches: number;
  readonly connections: number;
}

/** A server. It can be listened with once; requests from within the process it takes without. */
export interface HttpServer {
  /** Starts to listen. Rejects with Node's error when the port is taken or may not be used; a `TypeError` without TLS. */
  listen(): Promise<HttpServerAddress>;
  /**
   * Answers a request from within the process, as it would one from a socket. Rejects with a `LoopbackError` when it is
   * closed, or closes before the head of the answer is known; with the signal's reason when that is aborted before.
   */
  handle(request: LoopbackRequest, options?: LoopbackOptions): Promise<LoopbackResponse>;
  /** Answers requests that somebody else's HTTP server has accepted. */
  requestListener<R extends NodeRequest = NodeRequest>(options?: RequestListenerOptions<R>): RequestListener<R>;
  /** Undefined before `listen` has resolved. */
  readonly address: HttpServerAddress | undefined;
  /** Checks can be added and taken away while it serves. */
  readonly health: Health;
  /** Answers so far by verb and code (`LIST 200`). */
  requestCounts(): ReadonlyMap<string, number>;
  /** Metrics registered here are shown by `/metrics`. */
  readonly registry: Registry;
  readonly load: HttpServerLoad;
  readonly state: ShutdownState;
  /**
   * Ends gracefully: `/readyz` fails at once; after the shutdown delay no connection and no request is taken any more and
   * watches are ended; what is being answered may finish. A second call cuts everything off. Resolves when all is closed.
   */
  close(): Promise<void>;
}

/** Makes a server. Throws a `TypeError` or a `RangeError` for options that cannot be right. */
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
  /** Every TCP connection, also while its TLS handshake lasts. */
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

  constructor(config: HttpServerConfig) {
    this.#config = config;
    this.#inFlight = new InFlight({
      read: config.maxReadsInFlight,
      mutating: config.maxMutatingInFlight,
      watch: config.maxWatches,
    });
    this.#metrics = new RequestMetrics(this.#inFlight, config.registry);
    this.health.add({ name: 'shutdown', endpoints: ['readyz'], check: () => this.#checkShutdown() });
    for (const check of config.healthChecks) this.health.add(check);
    const pipeline = createPipeline({
      ...config,
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
    const endpoint = { ...config, cuts: this.#cuts, onConnectionError: this.#onConnectionError };
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
    return this.#address;
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
    this.#http1.startTimeouts();
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
      // Not an error for us: it was never started.
      if (this.#tls === undefined) resolve();
      else this.#tls.close(() => resolve());
    });
    const insecureStopped = this.#http1.stopListening();
    for (const reply of this.#replies) reply.endWatch();
    this.#http1.closeIdle();
    this.#http2.close();
    await this.#allAnswered(drainTimeoutMs);
    await this.#endAll();
    this.#state = nextShutdownState(this.#state, 'drained');
    this.#cutAll();
    await Promise.all([stopped, insecureStopped, ...[...this.#ready, ...this.#connections].map(closed)]);
  }

  /** Resolves when no request is left, or its time is up. */
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

  /** Closes connections after what has been written to them; an answer that is out may not be on the wire yet. */
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
    // Sockets end the replies on them; what is answered within the process has none.
    for (const reply of this.#replies) reply.cut();
    for (const socket of [...this.#ready, ...this.#connections]) socket.destroy();
  }

  #createTls(options: TlsOptions): TlsServer {
    const { cert, key, clientCa } = options;
    const server = createTlsServer({
      cert,
      key,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: this.#config.handshakeTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      noDelay: true,
      minVersion: 'TLSv1.2',
      // A certificate that we do not trust is not the end of the connection: it is a 401, with a Status to read.
      ...(clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false }),
    });
    server.on('connection', (socket) => track(this.#connections, socket));
    // Node leaves a connection open whose handshake took too long: silent clients could use up all of them.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('secureConnection', (socket: TLSSocket) => {
      track(this.#ready, socket);
      if (socket.alpnProtocol === 'h2') this.#http2.take(socket);
      else this.#http1.take(socket);
    });
    return server;
  }

  /** What was written and has not left this process. */
  #unreadBytes(): number {
    let bytes = this.#http2.unreadBytes();
    for (const socket of this.#ready) bytes += socket.writableLength;
    return bytes;
  }

  /** A connection that cannot be accepted is reported to the operator; the server goes on with the others. */
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

/** TCP keep-alive notices a dead peer although nothing is sent: a watch may be silent for long. */
const TCP_KEEP_ALIVE_MS = 30_000;
/** Thousands of watchers may reconnect at the same moment. The system caps the value. */
const BACKLOG = 4096;
